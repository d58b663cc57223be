"""The formats themselves; Django looks for them by the name of the language."""
