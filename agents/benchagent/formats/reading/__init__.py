"""Shared parts of the format readers: lines, sources, runs, headings, tables and the collecting of results.

The format folders import it, and ``formats`` itself; the server imports only ``text``.
"""
