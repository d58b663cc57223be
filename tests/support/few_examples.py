"""A pytest plugin for a second run of the same tests under another Python, with few and fixed examples."""

import hypothesis

hypothesis.settings.register_profile("few", max_examples=5, deadline=None, derandomize=True)
hypothesis.settings.load_profile("few")
