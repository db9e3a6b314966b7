"""The continuity check: what a story says against itself, found on its graphs without any model.

Every rule is pure, goes by ids, chapters and enumerated values only, and so works in any language.
"""
