from django.db import migrations, models

# The sweeps after the upgrade compute all pairs again: what was stored took six times the space.
AGAIN = "UPDATE plans_campaign SET judged_at = NULL, judge_attempts = 0; DELETE FROM reproductions_reproduction"


class Migration(migrations.Migration):
    dependencies = [("plans", "0004_judge_attempts"), ("reproductions", "0002_stamp")]

    operations = [
        migrations.RunSQL(AGAIN, migrations.RunSQL.noop),
        migrations.RemoveField("reproduction", "content"),
        migrations.AddField(
            "reproduction",
            "packed",
            models.BinaryField(default=b"", help_text="the conclusions and figures, as content.py packs them"),
            preserve_default=False,
        ),
    ]
