"""Import of raw files: unpack, read, show, complete, store. See docs/import.md.

`services` has the steps of an import, `background` the slow ones for workers. `unpack` unpacks archives, `reading`
keeps the results of a parser, `facts`, `detected` and `form` read the entries of a person, and `documents` makes
documents of `benchdb.run/1`, which ingest's own service stores. `page` and `preview` make the contexts of the pages.
"""
