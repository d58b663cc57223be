"""What runs measured: the distinct quantities of their results, without the values and the statistics."""
