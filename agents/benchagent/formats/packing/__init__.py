"""Integers in few bytes, as documents carry them: series and histograms. Pure; used by agent and server.

Decoders check the number of integers and of inflated bytes before they build anything.
"""
