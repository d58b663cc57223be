"""What rounds amount to, and the quantities of rounds that comparisons use. Pure: it needs no database."""
