"""Contents as people read them in a text file: title, table, findings, method.

Used by the formats for people and by the pictures.
"""
