"""Pages that answer questions with all runs of a workload: configurations that may be the best, facts that matter.

`web` has their addresses. Nothing is stored; docs/questions.md describes them.
"""
