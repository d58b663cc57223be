"""The distributions of latencies of one result: read from the store, drawn, as a table and as files.

Used by the page of a result, its files and the API.
"""
