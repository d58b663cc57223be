"""Ways to sign in besides a password of ours. For `web` only; `benchdb.identity` has the accounts."""
