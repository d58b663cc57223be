"""Second readers of the tools' outputs, one per tool, cruder than the parsers and written independently."""
