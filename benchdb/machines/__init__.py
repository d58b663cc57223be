"""The inventory of machines and the page of a machine. It has no database tables. Used by `web`."""
