"""Comparison tables: selection → evaluate → content → present → page → views.

The selection is `query.selection`, because `guard`, `verdicts` and `surface` use it too. `kind` lists what other
packages use.
"""
