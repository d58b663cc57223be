"""Atom feeds of public runs, campaigns and changes of trends, for feed readers and programs. Views use it."""
