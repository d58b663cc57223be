"""The answers for pairs of campaigns."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from benchdb.http.requests import Reader
from benchdb.plans.models import Campaign
from benchdb.stats.comparing.reproduction import ReproductionAnswer

from .content import StoredReproduction, unpacked

# Changes when the runs of the two campaigns do, or when and to whom they show: more often than `basis`, at less work.
STAMP = """md5(concat((
    SELECT string_agg(c.visibility, ' ' ORDER BY c.id) FROM plans_campaign c WHERE c.id IN (original_id, repetition_id)
  ), (
    SELECT string_agg(
      concat_ws(' ', r.id, s.visibility, s.withdrawn_at, s.current_parse, s.statistics_version), ',' ORDER BY r.id)
    FROM runs_run r JOIN runs_runstate s ON s.run_id = r.id WHERE r.campaign_id IN (original_id, repetition_id))))"""


class ReproductionQuerySet(models.QuerySet["Reproduction"]):
    """Queries for reproductions. Every read starts with `listed_for`."""

    def listed_for(self, user: Reader) -> ReproductionQuerySet:
        """Pairs of campaigns that lists show `user`: a campaign is not revealed by one that repeats it."""
        listed = Campaign.objects.listed_for(user).values("pk")
        return self.filter(original__in=listed, repetition__in=listed)


class Reproduction(models.Model):
    """A campaign that repeats the plan of an earlier one on another machine, and what its runs say about it.

    The numbers are those of the conclusions of the original. `runs` are the runs of both campaigns that were compared;
    `basis` is the digest of these and of what they were computed with, and `stamp` tells when to compute it again.
    """

    original = models.ForeignKey(Campaign, models.CASCADE, related_name="repeated_by")
    repetition = models.ForeignKey(Campaign, models.CASCADE, related_name="repeats")
    answer = models.CharField(max_length=16, choices=[(answer.value, answer.value) for answer in ReproductionAnswer])
    reproduced = models.IntegerField()
    not_reproduced = models.IntegerField()
    undecided = models.IntegerField()
    packed = models.BinaryField(help_text="the conclusions and figures, as content.py packs them")
    runs = ArrayField(models.UUIDField())
    basis = models.BinaryField(max_length=32)
    stamp = models.CharField(max_length=32, db_default="", help_text="when a sweep judged the pair last")
    checked_at = models.DateTimeField(help_text="when the runs were last looked at")

    objects = ReproductionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["repetition", "original"], name="one_answer_for_each_pair")]

    def __str__(self) -> str:
        return f"{self.repetition_id} repeats {self.original_id}: {self.answer}"

    @property
    def content(self) -> StoredReproduction:
        """The conclusions and figures."""
        return unpacked(self.packed)
