"""Output of mdtest."""
