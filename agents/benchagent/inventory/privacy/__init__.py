"""Private names of a machine, and their removal from texts before these reach the spool.

Used by `inventory` and by everything that writes documents.
"""
