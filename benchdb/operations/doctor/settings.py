"""Checks that need only settings and files."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import PurePosixPath

from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.contrib.staticfiles.finders import get_finders
from django.core.checks import run_checks

from benchdb.variables import KEY_CHARACTERS, KEY_DIFFERENT, PREFIX, Variables, name_of

from .finding import DoctorFinding, ok, warning, wrong

LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}
# Variables of frontend/npm and of the tests.
OTHERS = {f"{PREFIX}{name}" for name in ("PYTHON", "MUTATIONS", "KILLS", "SEED", "TEST_SESSION")}
GIB = 2**30


def variables() -> Iterator[DoctorFinding]:
    """Unknown variables with our prefix."""
    known = {name_of(field) for field in Variables.model_fields}
    strange = sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known | OTHERS)
    for name in strange:
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else "docs/settings.md has those there are."
        yield warning("settings", f"nothing reads {name}; {hint}")
    if not strange:
        count = sum(name in os.environ for name in known)
        yield ok("settings", f"{count} of {len(known)} variables are set, all of them known")


def hosts() -> Iterator[DoctorFinding]:
    """The host names of the site."""
    if "*" in settings.ALLOWED_HOSTS:
        yield wrong(
            "hosts", "every name is allowed, also one that an attacker chose; name yours in BENCHDB_ALLOWED_HOSTS"
        )
    elif set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        yield ok("hosts", "this machine alone; BENCHDB_ALLOWED_HOSTS names the site for others")
    else:
        yield ok("hosts", ", ".join(settings.ALLOWED_HOSTS))


def tls() -> Iterator[DoctorFinding]:
    """TLS, and Django's own deployment checks."""
    public = not set(settings.ALLOWED_HOSTS) <= LOOPBACK
    if settings.DEBUG:
        text = "error pages show source and settings to everybody; unset BENCHDB_DEBUG"
        yield wrong("debug", text) if public else warning("debug", text)
    if not settings.BEHIND_TLS:
        if public:
            yield warning("tls", "passwords and tokens travel in plain; put a proxy in front and set BENCHDB_TLS=1")
        else:
            yield ok("tls", "none, not needed on one machine")
        return
    messages = [message for message in run_checks(include_deployment_checks=True) if not message.is_silenced()]
    for message in messages:
        yield warning("tls", " ".join(message.msg.split()))
    if not messages:
        yield ok("tls", "a proxy speaks it; cookies are secure, HSTS is on")


def proxies() -> Iterator[DoctorFinding]:
    """The client address that the rate limits use."""
    if settings.PROXIES:
        yield ok("proxies", f"visitors are told apart by what {settings.PROXIES} in front saw")
    elif settings.BEHIND_TLS:
        text = "a proxy speaks TLS, and limits take all its visitors for one; set BENCHDB_PROXIES to how many there are"
        yield warning("proxies", text)


def secret_key() -> Iterator[DoctorFinding]:
    """Whether the key is strong and its file is private."""
    key = settings.SECRET_KEY
    if len(key) < KEY_CHARACTERS or len(set(key)) < KEY_DIFFERENT:
        yield wrong("secret key", "too easy to guess; `openssl rand -hex 32` makes another for BENCHDB_SECRET_KEY")
        return
    file = settings.VAR_DIR / "secret_key"
    if file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield wrong("secret key", f"others may read {file}; `chmod 600 {file}`")
        return
    yield ok("secret key", f"{len(key)} characters")


def disk() -> Iterator[DoctorFinding]:
    """Free space for the files of BenchDB."""
    usage = shutil.disk_usage(settings.VAR_DIR)
    share = usage.free / usage.total
    text = f"{usage.free / GIB:.1f} GiB ({share:.0%}) free in {settings.VAR_DIR}"
    if usage.free < GIB or share < 0.02:
        yield wrong("disk", f"{text}; uploads will soon fail: make room")
    elif usage.free < 5 * GIB or share < 0.1:
        yield warning("disk", f"{text}; make room in time")
    else:
        yield ok("disk", text)


def static() -> Iterator[DoctorFinding]:
    """Whether the style sheets and scripts that pages link to are collected."""
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if not manifest.exists():
        yield wrong("static", f"nothing is collected in {settings.STATIC_ROOT}: `manage.py collectstatic --no-input`")
        return
    collected = set(json.loads(manifest.read_text())["paths"])
    found = (entry for finder in get_finders() for entry in finder.list(StaticFilesConfig.ignore_patterns))
    # As `collectstatic` does: storages of directories with a prefix have this attribute.
    wanted = {str(PurePosixPath(getattr(storage, "prefix", None) or "", path)) for path, storage in found}
    missing = wanted - collected
    if missing:
        yield wrong("static", f"{len(missing)} files are not collected: `manage.py collectstatic --no-input`")
    elif not settings.STATICFILES_DIRS:
        yield wrong("static", "the front end is not built: `make setup`")
    else:
        yield ok("static", f"{len(collected)} files")
