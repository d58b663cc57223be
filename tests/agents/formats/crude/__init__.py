"""Second readers of the tools' outputs, one a tool: cruder than the parsers, written without looking at them."""
