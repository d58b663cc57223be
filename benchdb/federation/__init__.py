"""Sources: other BenchDB servers whose public runs this one reads and follows. Only tasks and a command use it."""
