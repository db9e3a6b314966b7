"""The words of the pages in other languages than English: a package for each, found by name when it is spoken.

For each `strings.py` of `pages/components/` it has a module with the same public names and signatures: of
`plot/strings.py` in `plot.py`, of `write/beside/strings.py` in `write/beside.py`; a folder that has folders
with words of their own is a package, and its own words are in `page.py`. `words.py` has those of
`pages/components/words/`. `records.py` has what the records of the store and the agents are called, and
`messages.py` what the store and the engine say: see `pages.components.words.messages`.
"""
