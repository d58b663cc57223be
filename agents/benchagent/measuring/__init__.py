"""Measures a plan: rounds in the plan's order, tools, maintenance tests, evidence, noise.

Used by `queue` and `commands`.
"""
