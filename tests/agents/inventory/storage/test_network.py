from __future__ import annotations

import pytest

from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage.network import network, pseudonym


def facts(kind: str, source: str) -> dict[str, str | None]:
    (mount,) = parse_mountinfo(f"41 29 0:60 / /mnt rw - {kind} {source} rw")
    found: dict[str, str | None] = network(mount)["facts"]
    return found


@pytest.mark.parametrize(
    ("kind", "source", "server", "share"),
    [
        ("nfs4", "Filer.example.org.:/export/a", "filer.example.org", "export/a"),
        ("nfs", "[2001:db8::7]:/export", "[2001:db8::7]", "export"),
        ("cifs", "//filer/data", "filer", "data"),
        ("fuse.sshfs", "wanda@filer:/home", "filer", "home"),
        ("lustre", "10.0.0.1@tcp:/fs", "10.0.0.1@tcp", "fs"),
    ],
)
def test_one_server_has_one_name(kind: str, source: str, server: str, share: str) -> None:
    found = facts(kind, source)
    assert found == {"protocol": kind, "server": pseudonym(server), "share": pseudonym(f"{server}:{share}")}
    assert server not in str(found)


def test_two_shares_of_one_server() -> None:
    one, other = facts("nfs4", "filer:/a"), facts("nfs4", "filer:/b")
    assert one["server"] == other["server"]
    assert one["share"] != other["share"]


def test_the_same_name_under_another_protocol_is_the_same_server() -> None:
    assert facts("nfs4", "filer:/a")["server"] == facts("cifs", "//filer/a")["server"]


@pytest.mark.parametrize("kind", ["9p", "virtiofs", "vboxsf"])
def test_a_share_of_the_host_has_no_server(kind: str) -> None:
    assert facts(kind, "work:dir")["server"] is None


def test_a_pseudonym_is_short_and_lasting() -> None:
    assert pseudonym("filer07.storage.example.org") == "bef62d3200af2fb7", "stored runs are compared by it"
