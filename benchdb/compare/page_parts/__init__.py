"""Parts of pages that tables, surfaces and trends share: titles, menus, differences, exports.

Used by the pages of `compare`.
"""
