"""Whether campaigns that repeat a plan on another machine show the same; a worker compares them.

`web` and `api` show the answers, which are visible to readers who may list both campaigns.
"""
