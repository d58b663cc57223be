"""Import of raw files: unpack, read, show, ask, store. See docs/import.md.

`services` leads through it, `work` does what takes long. `unpack` makes files of what was given, `reading` keeps what a
parser recognised, `facts`, `detected` and `form` read what a person says, `documents` makes `benchdb.run/1` of all
that; ingest's own service stores those. `page` and `preview` show it.
"""
