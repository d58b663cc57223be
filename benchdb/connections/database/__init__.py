"""Django's PostgreSQL backend, for a server that must answer while its database is away; Django loads `base`."""
