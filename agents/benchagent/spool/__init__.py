"""Documents, campaigns and rounds of running measurements, kept on disk until the server has them."""
