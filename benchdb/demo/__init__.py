"""`make demo`: the whole path on this machine, from an empty directory to a permalink."""
