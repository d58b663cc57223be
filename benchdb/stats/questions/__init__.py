"""Statistics of many runs of one workload: which facts explain the variance, and which configurations may be the best.

`benchdb/questions` uses them. Formulas and assumptions: docs/statistics.md, "Questions to all runs".
"""
