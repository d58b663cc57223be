"""Output of PostMark."""
