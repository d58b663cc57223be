"""The order in which a table shows its rows, and the buttons in the heads of its columns that change the order."""
