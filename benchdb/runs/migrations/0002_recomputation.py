"""What recomputation and re-parse need: which statistics a run has, who checked a parse; the test of modes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0001_initial'),
        ('runs', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='summary',
            name='modes_p',
            field=models.FloatField(help_text="Hartigan's dip test: p of one mode", null=True),
        ),
        migrations.AddField(
            model_name='runstate',
            name='statistics_version',
            field=models.SmallIntegerField(default=0, help_text='the newest one that this run was computed with, or failed with; 0 where none was yet'),
        ),
        migrations.AddIndex(
            model_name='runstate',
            index=models.Index(fields=['statistics_version', 'run'], name='runs_by_statistics'),
        ),
        migrations.AddField(
            model_name='parse',
            name='checked_by',
            field=models.CharField(blank=True, help_text='the parser version that read the same text again and added no parse', max_length=64, default=''),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='parse',
            name='refusal',
            field=models.TextField(blank=True, help_text='why `checked_by` could not read it; empty where it read the same', default=''),
            preserve_default=False,
        ),
    ]
