"""Charts of a table: its cells as marks with intervals. Pages, articles and exported pictures draw them."""
