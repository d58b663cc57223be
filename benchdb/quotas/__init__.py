"""Quotas: how much an account, and all accounts together, may store. The apps count what they store through it."""
