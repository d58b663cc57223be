"""Statistics of two cells or more: ratios with intervals, tests, corrections, verdicts, geometric means."""
