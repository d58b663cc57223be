"""The frame of the site: base templates, URLs, home page, search, accounts, admin, the agent's file."""
