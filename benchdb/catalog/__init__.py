"""Machines, environments and targets, each stored once, and the facets by which people find runs.

Used by every app above it.
"""
