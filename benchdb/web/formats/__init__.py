"""How Django writes what no template of ours formats: the admin."""
