"""The pages of file systems, kernels, disks, RAID layouts and tools: what was measured with each, and how it compares.

Reads only: the facets of listed runs, their main results, and the articles. docs/components.md describes the pages.
"""
