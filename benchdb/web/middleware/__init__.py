"""What happens to every request before and after its view: access, limits, compression, a database that is down."""
