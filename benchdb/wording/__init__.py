"""Numbers, sizes, units, times and terms as people read them. Used by every app that has pages."""
