"""The continuity check: contradictions in a story, found in its graphs without any model.

Every rule is pure and looks only at ids, chapters and enumerated values, so it works in any language.
"""
