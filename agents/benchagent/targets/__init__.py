"""Prepares what is measured, and undoes it: file systems, loop devices, mounts, aging, tunables, work directories."""
