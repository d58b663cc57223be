"""The ways in which people prove who they are, other than a password, and the accounts that these make. For `web`."""
