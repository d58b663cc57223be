"""`manage.py source`: the servers whose public runs this one reads."""

from __future__ import annotations

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from benchdb.federation.models import Source
from benchdb.federation.reading import read_source
from benchdb.federation.services import SourceRefused, add_source


class Command(BaseCommand):
    """Adds, lists, reads and removes sources."""

    help = "Adds, lists, reads and removes the servers whose public runs this one has too (docs/federation.md)."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the commands."""
        actions = parser.add_subparsers(dest="action", required=True)
        add = actions.add_parser("add", help="read the public runs of a server from now on")
        add.add_argument("name", help="the name that pages show")
        add.add_argument("address", help="such as https://bench.example.org")
        add.add_argument("owner", help="the account that owns the runs here")
        actions.add_parser("list", help="the sources, and the runs that were refused")
        read = actions.add_parser("read", help="read a source now, to the end")
        read.add_argument("name")
        read.add_argument(
            "--again", action="store_true", help="from its first change on; also tries refused runs again"
        )
        remove = actions.add_parser("remove", help="read a source no longer; its runs stay")
        remove.add_argument("name")

    def handle(self, *args: object, action: str, **options: object) -> None:
        """Call the action."""
        if action == "list":
            self._list()
        elif action == "add":
            self._add(str(options["name"]), str(options["address"]), str(options["owner"]))
        elif action == "read":
            self._read(self._source(options), again=bool(options["again"]))
        else:
            source = self._source(options)
            source.delete()
            self.stdout.write(f"{source.name} is no longer read. Its runs stay.")

    def _source(self, options: dict[str, object]) -> Source:
        source = Source.objects.select_related("owner").filter(name=options["name"]).first()
        if source is None:
            raise CommandError(f"There is no source {options['name']!r}.")
        return source

    def _add(self, name: str, address: str, owner: str) -> None:
        user = User.objects.filter(username=owner).first()
        if user is None:
            raise CommandError(f"There is no user {owner!r}.")
        try:
            source = add_source(name, address, user)
        except SourceRefused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{source.name}: {source.address} is read from now on.")

    def _list(self) -> None:
        for source in Source.objects.select_related("owner").prefetch_related("refused").order_by("name"):
            read = f"{source.read_at:%Y-%m-%d %H:%M} UTC" if source.read_at else "never to the end"
            self.stdout.write(
                f"{source.name}: {source.address}, for {source.owner}, read {read}, up to change {source.after}"
            )
            if source.error:
                self.stdout.write(f"  {source.error}")
            for refused in source.refused.all():
                reason = refused.reason.replace("\n", "\n    ")
                self.stdout.write(f"  refused: {refused.run_id}\n    {reason}")

    def _read(self, source: Source, *, again: bool) -> None:
        if again:
            Source.objects.filter(pk=source.pk).update(after=0)
        followed = 0
        while count := read_source(source):
            followed += count
            self.stdout.write(f"{followed} changes", ending="\r" if self.stdout.isatty() else "\n")
        source.refresh_from_db()
        if source.error:
            raise CommandError(source.error)
        self.stdout.write(f"{source.name}: {followed} changes followed, {source.refused.count()} runs refused.")
