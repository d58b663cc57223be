"""Output of iozone: its tables, reports, throughput mode and spreadsheets."""
