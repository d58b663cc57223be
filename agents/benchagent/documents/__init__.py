"""What the agent writes down and sends: the records of a point, the results of its rounds, and the documents of runs
and campaigns. Used by `spool`, `measuring` and above.
"""
