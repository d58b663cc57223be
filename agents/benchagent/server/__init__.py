"""The connection to the server: requests, retries and answers. Used by `spool`, `queue` and `diagnosis`."""
