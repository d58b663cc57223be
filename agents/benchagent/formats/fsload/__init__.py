"""Output of fsload, the workload engine of BenchDB."""
