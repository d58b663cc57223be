#!/usr/bin/env python3
"""Installs the system packages for the tests, as root on Debian and Ubuntu. `make test` calls it.

Elsewhere, and after a failure, it prints the missing packages and exits normally: tests that need them are skipped with
that reason. iozone3 is in Debian's non-free and Ubuntu's multiverse. If the machine does not use that component, a
source file is added with the addresses of its main component.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

# Commands for tests, with their packages.
WANTED = {
    "iozone": "iozone3",
    "bonnie++": "bonnie++",
    "ssh-keygen": "openssh-client",
    "fio": "fio",
    "mkfs.ext4": "e2fsprogs",
    "mkfs.xfs": "xfsprogs",
    "mkfs.btrfs": "btrfs-progs",
    "mkfs.f2fs": "f2fs-tools",
    "mkfs.hfsplus": "hfsprogs",
    "mkfs.jfs": "jfsutils",
    "mkfs.nilfs2": "nilfs-tools",
    "mkfs.reiserfs": "reiserfsprogs",
    "chromium-headless-shell": "chromium-headless-shell",
    "cppcheck": "cppcheck",
    "faketime": "faketime",
    "strace": "strace",
    "curl": "curl",
    "jq": "jq",
    "nginx": "nginx-light",
    "promtool": "prometheus",
    "openssl": "openssl",
    "systemd-analyze": "systemd",
}
# The components with iozone3: it is free to use, but its licence forbids changed versions.
IOZONE_COMPONENT = {"debian": "non-free", "ubuntu": "multiverse"}
SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])
APT = Path("/etc/apt")
KEPT_FIELDS = ("Types", "URIs", "Suites", "Components", "Signed-By")
ADDED_SOURCE = APT / "sources.list.d" / "benchdb-iozone3.sources"


def missing(wanted: dict[str, str]) -> list[str]:
    """The packages whose commands are not installed."""
    return [package for command, package in wanted.items() if not shutil.which(command, path=SEARCH_PATH)]


def system() -> dict[str, str]:
    """/etc/os-release as a dictionary."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except FileNotFoundError:
        return {}
    return {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}


def component_source(texts: Iterable[str], codename: str, component: str) -> str:
    """A deb822 source of `component`, made from the stanza or line for this release's main component.

    `texts` are the machine's source files of both formats. Empty if none of them has main for `codename`.
    """
    for text in texts:
        for source in [*_stanzas(text), *_lines(text)]:
            if codename in source["Suites"].split() and "main" in source["Components"].split():
                kept = {**source, "Types": "deb", "Suites": codename, "Components": component}
                return "".join(f"{name}: {value}".replace(": \n", ":\n") + "\n" for name, value in kept.items())
    return ""


def _stanzas(text: str) -> Iterable[dict[str, str]]:
    """The stanzas of a deb822 file for binary packages; folded fields, such as a key, are unchanged."""
    for block in re.split(r"\n\s*\n", re.sub(r"(?m)^#.*\n?", "", text)):
        fields = dict(re.findall(r"(?m)^([\w-]+):[ \t]*(.*(?:\n[ \t].*)*)", block))
        if {"URIs", "Suites", "Components"} <= fields.keys() and "deb" in fields.get("Types", "").split():
            yield {name: fields[name] for name in KEPT_FIELDS if name in fields}


def _lines(text: str) -> Iterable[dict[str, str]]:
    """The lines of a one-line-style file, as deb822 fields."""
    for options, uri, suite, components in re.findall(r"(?m)^deb\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+([^#\n]+)", text):
        fields = {"Types": "deb", "URIs": uri, "Suites": suite, "Components": components.strip()}
        signed = re.search(r"signed-by=(\S+)", options)
        yield {**fields, "Signed-By": signed.group(1)} if signed else fields


def apt(*arguments: str) -> bool:
    """Run apt-get without questions. Returns whether it succeeded; prints its last lines if not."""
    command = ["apt-get", "--quiet", "--yes", "-o", "DPkg::Lock::Timeout=120", *arguments]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode != 0:
        print("\n".join(f"    {line}" for line in process.stdout.splitlines()[-15:]), file=sys.stderr)
    return process.returncode == 0


def has_candidate(package: str) -> bool:
    """Whether apt can install a package."""
    command = ["apt-cache", "policy", package]
    shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return bool(re.search(r"Candidate: (?!\(none\))", shown))


def add_iozone_source() -> None:
    """Make iozone3 known to apt."""
    release = system()
    component = IOZONE_COMPONENT[release["ID"]]
    files = [APT / "sources.list", *sorted((APT / "sources.list.d").glob("*"))]
    texts = [file.read_text() for file in files if file.is_file() and file.suffix in {".list", ".sources"}]
    source = component_source(texts, release.get("VERSION_CODENAME", ""), component)
    if not source:
        print(f"packages: no source of this release's packages was found under {APT}", file=sys.stderr)
        return
    print(f"packages: adding {ADDED_SOURCE}, because iozone3 is in {component}", flush=True)
    ADDED_SOURCE.write_text(source)
    apt("update")


def install(packages: list[str]) -> None:
    """Install the packages that apt can install."""
    print(f"packages: installing {', '.join(packages)}", flush=True)
    apt("update")
    if "iozone3" in packages and not has_candidate("iozone3"):
        add_iozone_source()
    available = [package for package in packages if has_candidate(package)]
    if available:
        apt("install", "--no-install-recommends", *available)


def main() -> int:
    """Install missing packages, or print them. Always returns 0, because tests without their package are skipped."""
    packages = missing(WANTED)
    if not packages:
        return 0
    if os.geteuid() == 0 and shutil.which("apt-get") and system().get("ID") in IOZONE_COMPONENT:
        install(packages)
        packages = missing(WANTED)
    if packages:
        print(
            f"packages: without {', '.join(packages)} some tests are skipped. "
            f"As root: apt-get install {' '.join(packages)}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
