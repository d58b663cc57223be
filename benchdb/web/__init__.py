"""The frame of the site: base templates, addresses, home page, search, accounts, admin, the agent file."""
