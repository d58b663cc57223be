"""The records of measured points, the results of their rounds, and the documents of runs and campaigns.

Used by `spool`, `measuring` and the packages above them.
"""
