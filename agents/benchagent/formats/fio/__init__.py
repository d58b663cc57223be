"""Output of fio, as JSON."""
