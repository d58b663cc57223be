"""Imports to test with: files, and imports in several states."""

import gzip
import io
import tarfile
import zipfile
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.imports import services
from benchdb.ingest.imports.form import StoreForm
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import
from tests.agents.formats.texts import golden

IOZONE, BONNIE, ROUNDS = "iozone-auto_rw.txt", "bonnie-three_runs.txt", "fsload-three_repetitions.jsonl"

# As mmtests wrote them on a machine with Red Hat Enterprise Linux 8, with another host name and fewer lines.
MMTESTS_UNAME = (
    "Linux secret-host 4.18.0-184.el8.ppc64le #1 SMP Wed Feb 26 04:19:23 UTC 2020 ppc64le ppc64le ppc64le GNU/Linux\n"
)
MMTESTS_OS = (
    'NAME="Red Hat Enterprise Linux"\nID="rhel"\nVERSION_ID="8.2"\nPRETTY_NAME="Red Hat Enterprise Linux 8.2 (Ootpa)"\n'
)
MMTESTS_STATE = """start :: 1591385176
version :: 345f82bee77cbf09ba57f470a1cfc1ae413c97df
arch :: ppc64le
1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    inet 192.0.2.7/24 scope host lo
mount :: start
file start :: /proc/meminfo
MemTotal:       102556992 kB
MemFree:        95675328 kB
"""


def given(*names: str) -> list[GivenFile]:
    """Golden files of the formats, as if chosen by a person."""
    return [GivenFile(name, golden(name).encode()) for name in names]


def begun(owner: User, *files: GivenFile, **stated: str) -> Import:
    """An import of these files, read at any size; `stated` are its tool and unit."""
    draft = services.begin(owner, files, **stated)
    services.background.read_files(draft.pk)
    draft.refresh_from_db()
    return draft


def form_of(draft: Import, **entered: Any) -> StoreForm:
    """The form, filled in with a machine's name."""
    form = StoreForm(draft.files.count(), {"machine": "old-1", **entered}, detected=draft.detected)
    assert form.is_valid(), form.errors
    return form


def stored(draft: Import, **entered: Any) -> Import:
    """The import, stored at any size."""
    entered = {"machine": "old-1", **entered}
    services.store(draft, form_of(draft, **entered), entered)
    services.background.store_runs(draft.pk)
    draft.refresh_from_db()
    return draft


def tar(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    """An archive of regular files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped(files: dict[str, bytes], extra: bytes = b"") -> bytes:
    """A zip archive of regular files, each with these extra fields."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
            archive.filelist[-1].extra = extra
    return packed.getvalue()


def signed_in(owner: User) -> Client:
    """A client that is signed in as the owner."""
    client = Client()
    client.force_login(owner)
    return client


def mmtests_files(run: str, release: str = "4.18.0-184.el8.ppc64le", iteration: int = 0) -> dict[str, bytes]:
    """The files of an iteration of a run of mmtests on this kernel."""
    folder = f"work/log/{run}/iter-{iteration}"
    return {
        f"{folder}/iozone/logs/iozone.log": golden(IOZONE).encode() + b"\n" * (iteration + len(run)),
        f"{folder}/kernel.version": MMTESTS_UNAME.replace("4.18.0-184.el8.ppc64le", release, 1).encode(),
        f"{folder}/os-release": MMTESTS_OS.encode(),
        f"{folder}/tests-sysstate.gz": gzip.compress(MMTESTS_STATE.encode()),
    }
