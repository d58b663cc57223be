"""Second readers of the tools' outputs, one module a tool: cruder than the parsers, and written without looking at them."""
