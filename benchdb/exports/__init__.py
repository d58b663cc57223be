"""Comparisons as files: formats for programs and for people, and pictures that workers draw.

Used by `publications`, `machines` and above.
"""
