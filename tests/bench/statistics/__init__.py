"""Simulations of the statistics with known truth, for `make bench-statistics`: one module a topic."""
