"""Figures of published articles, stored as runs, with their pages and the checks that read them."""
