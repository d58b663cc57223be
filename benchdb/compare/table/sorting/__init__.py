"""The order in which a table shows its rows, the buttons that change it, and the choice of rows with a difference."""
