"""The quantities of the machine that changed together with the figures of a table: their page and its files.

Used by the web addresses; tables only link to it.
"""
