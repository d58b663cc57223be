"""Django's PostgreSQL, for a server that must answer while its database is away. Django looks for `base` in here."""
