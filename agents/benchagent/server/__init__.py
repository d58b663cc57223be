"""The connection to the server: requests, retries and answers. It knows nothing of runs."""
