"""The answer of a table: who wins, by how much and how sure; sentences and a ranking, on pages and in pictures."""
