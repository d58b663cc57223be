"""The inventory of machines and the page of a machine. It has no tables of its own."""
