"""The documentation as pages of the site: the Markdown files of `docs/`, rendered once in each process.

Search, help links and the views use `library`.
"""
