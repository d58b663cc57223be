"""Output of Filebench."""
