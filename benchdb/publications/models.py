"""Published articles whose figures are stored here as runs. Everything else about them is in their data files."""

from __future__ import annotations

from django.db import models

BY_HAND = "hand"  # found a note, if no check did


class Publication(models.Model):
    """An article, as described in its data file (docs/publications.md). Loading the file again overwrites this row.

    `about` is `[[term, text]]`: subject, system and method of the tests. `sourced` are facts of the data file as
    `{name, value, provenance, places, inferred}`. A place has the heading above it (`section`), its `line` and at most
    ten of its words (`quote`); `inferred` is the reason if the article does not say it itself. `statements` are those
    of the data file; `findings` compare them and figures: `{check, subject, text, agrees, statements}`. `notes` are the
    article's contradictions and our remarks (`remark`): `{key, where, printed, says, remark, found_by, findings}`, with
    the findings that contradict the article, and their checks.
    """

    slug = models.SlugField(primary_key=True)
    ordinal = models.IntegerField(help_text="place in the list of articles")
    title = models.CharField(max_length=300)
    authors = models.CharField(max_length=300)
    year = models.IntegerField()
    citation = models.TextField()
    url = models.URLField(null=True)
    plan = models.CharField(max_length=200, help_text="the shipped plan that measures the same on another machine")
    about = models.JSONField(default=list)
    sourced = models.JSONField(default=list)
    statements = models.JSONField(default=list)
    notes = models.JSONField(default=list)
    findings = models.JSONField(default=list)
    left_out = models.JSONField(default=list, help_text="what the article shows and no run has, with the reason")
    operations = models.JSONField(default=list, help_text="what was measured, where the figures are lost")
    runs = models.ManyToManyField("runs.Run", through="PublishedRun", related_name="publications")

    class Meta:
        ordering = ["ordinal"]
        verbose_name = "article"

    def __str__(self) -> str:
        return self.slug

    @property
    def plans(self) -> tuple[str, str]:
        """The names of the plans that repeat its experiment: in its sizes, and small with its proportions."""
        return (self.plan, f"{self.plan}-small")


class PublishedRun(models.Model):
    """A run with figures of an article; `key` is its name in the data file. Only runs of the newest data have a row."""

    publication = models.ForeignKey(Publication, models.CASCADE, related_name="published_runs")
    run = models.OneToOneField("runs.Run", models.CASCADE, related_name="published")
    key = models.CharField(max_length=200)
    ordinal = models.IntegerField()

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["publication", "key"], name="published_run_once")]

    def __str__(self) -> str:
        return self.key


class PublishedTable(models.Model):
    """A table of an article as BenchDB makes it; `key` is its name in `pages/SLUG.toml`."""

    publication = models.ForeignKey(Publication, models.CASCADE, related_name="tables")
    key = models.CharField(max_length=100)
    permalink = models.OneToOneField("compare.Permalink", models.CASCADE, related_name="published")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "key"], name="published_table_once")]

    def __str__(self) -> str:
        return f"{self.publication_id} {self.key}"
