"""Output of bonnie++ and of the original Bonnie, also as pasted into texts."""
