"""Two releases of BenchDB on one database and broker, as during an upgrade."""
