"""The list of runs: its query string, filters, counts, rows and pages."""
