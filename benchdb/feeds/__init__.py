"""Atom feeds of public runs, campaigns and changes of trends, for feed readers and for other servers. Views use it."""
