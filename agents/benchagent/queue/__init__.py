"""Plans that the server queued for this machine: which are allowed, how they are run and reported."""
