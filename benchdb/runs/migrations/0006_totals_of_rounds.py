import zlib

import django.contrib.postgres.fields
from django.db import migrations, models

from benchagent.formats.packing.varint import integers_of
from benchagent.formats.sampled import MOST_POINTS, SAMPLED

AT_ONCE = 100  # rows of about 10 kB


def sum_up(apps, schema_editor):
    """Fill the new columns of rounds that were stored before."""
    RoundSeries = apps.get_model("runs", "RoundSeries")
    for row in RoundSeries.objects.order_by("run_id", "round").iterator(chunk_size=AT_ONCE):
        totals, ends = [], []
        columns = zip(row.names, row.starts, row.steps, row.scales, row.packed, strict=True)
        for name, start, step, scale, packed in columns:
            points = integers_of(zlib.decompress(bytes(packed)), MOST_POINTS)
            level, levels = 0, []
            for difference in points:
                level += difference
                levels.append(level)
            totals.append(scale * (levels[-1] if SAMPLED[name].grows else sum(levels) / len(levels)))
            ends.append(start + step * len(levels))
        rows = RoundSeries.objects.filter(run_id=row.run_id, round=row.round)
        rows.update(totals=totals, seconds=max(ends))


class Migration(migrations.Migration):

    dependencies = [
        ('runs', '0005_histograms'),
    ]

    operations = [
        migrations.AddField(
            model_name='roundseries',
            name='seconds',
            field=models.FloatField(null=True, help_text='the end of the last series, after the beginning of the round'),
        ),
        migrations.AddField(
            model_name='roundseries',
            name='totals',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), help_text='sums of counters and means of levels, in the unit of their names', null=True, size=None),
        ),
        migrations.RunPython(sum_up, migrations.RunPython.noop),
    ]
