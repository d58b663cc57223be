"""The pages of one run and of one result."""
