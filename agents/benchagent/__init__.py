"""BenchDB's agent: prepares a file system, measures it, and uploads what it measured."""

__version__ = "0.1.0"
