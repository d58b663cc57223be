"""A small index by test in place of the unique one over all that makes a quantity. Nobody who reads or writes waits."""

from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # PostgreSQL makes no index beside others in a transaction

    dependencies = [("runs", "0008_lines")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                # The first removes what an interrupted attempt left.
                migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS results_by_test", migrations.RunSQL.noop),
                migrations.RunSQL(
                    "CREATE INDEX CONCURRENTLY results_by_test ON runs_result (run_id, test)",
                    "DROP INDEX CONCURRENTLY IF EXISTS results_by_test",
                ),
            ],
            state_operations=[
                migrations.AddIndex("result", models.Index(fields=["run", "test"], name="results_by_test"))
            ],
        ),
        migrations.RemoveConstraint("result", "result_once_per_run"),
    ]
