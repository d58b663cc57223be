"""Measures a plan: rounds in interleaved order, tools, maintenance tests, evidence, noise.

Used by `queue` and `commands`.
"""
