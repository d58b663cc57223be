"""`make demo`: all steps on this machine, from an empty directory to a permalink."""
