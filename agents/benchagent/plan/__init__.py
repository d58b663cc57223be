"""The plan language: TOML in, targets, workloads and points out.

Pure functions without I/O; the server imports this package too, so that a plan means the same on both sides.
"""
