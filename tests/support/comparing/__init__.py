"""Comparisons to test with: stored runs, their contents, and what their pages and exports show."""
