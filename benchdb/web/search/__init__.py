"""The search in the masthead, for the views of `web`: facts and labels of runs, names, ids."""
