"""The verdict card of a table: who is ahead of the baseline, by how much, and how certainly. Pure functions.

`build.card_of` computes the card of a content. Pages (`present.py`) and exported pictures show it.
"""
