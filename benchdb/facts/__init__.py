"""The facts of runs: each is declared once, and filters, dimensions, guard, columns, forms and files derive from it.

A fact is a property of a run such as its file system or the read-ahead; `fact.py` says what a declaration has. The
modules with declarations are `workload`, `file_system`, `storage`, `machine`, `measuring` and `identity`.
"""
