"""Output of IOR."""
