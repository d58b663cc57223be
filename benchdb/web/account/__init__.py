"""The account of a person: sign-in, password, tokens, leaving."""
