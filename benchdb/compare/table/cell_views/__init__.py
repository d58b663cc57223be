"""The cells of a table one by one: the chosen cell, the panels of a row, and the links to other views of a cell."""
