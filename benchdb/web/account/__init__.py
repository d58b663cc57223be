"""A person's account: sign-in, password, tokens, deletion. For `web` only."""
