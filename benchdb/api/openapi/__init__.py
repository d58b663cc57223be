"""The OpenAPI document: descriptions, examples and words. Used by `api` and by the API page of `web`."""
