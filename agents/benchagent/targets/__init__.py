"""Prepares targets and undoes the preparation: file systems, loop devices, mounts, aging, tunables, work directories.

Used by `measuring` and above.
"""
