"""Images from Debian's archive in place of those of a registry: one for the server of this clone, one for its services.

debootstrap makes their bases, as root on Debian or Ubuntu. They are kept, and made anew only if their packages change.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools.commands import ROOT, Failed, run, say, works

PYTHON = ROOT / ".venv" / "bin" / "python"
SERVER, SERVICES = "benchdb-stand-in", "benchdb-stand-in-services"
RECIPE = """FROM {base}
COPY server /srv/benchdb
COPY container-entry /usr/local/bin/container-entry
WORKDIR /srv/benchdb
RUN python -m compileall -q benchdb agents
"""
KEPT = {"manage.py", "benchdb", "agents", "docs", "frontend"}  # as in Dockerfile


@dataclass(frozen=True, slots=True)
class Base:
    """A system that debootstrap makes."""

    release: str
    packages: str
    finish: Callable[[Path], None]  # completes the system in a directory

    def name(self, image: str) -> str:
        """The name of its image, which changes with its packages."""
        made_of = f"{self.release} {self.packages} {(ROOT / 'requirements.txt').read_text()}"
        return f"{image}-base:{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"


def make_both(again: bool) -> None:
    """Make both images; their bases only if these changed, or `again`. Raises Failed."""
    run("docker", "tag", base_image(SERVICES, OF_SERVICES, again), SERVICES)
    base = base_image(SERVER, OF_SERVER, again)
    with tempfile.TemporaryDirectory(prefix="benchdb-context-") as name:
        context = Path(name)
        shutil.copytree(ROOT, context / "server", ignore=ignored)
        shutil.copy(ROOT / "tools/container-entry", context)
        for path in (context / "server", *(context / "server").rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
        (context / "Dockerfile").write_text(RECIPE.format(base=base))
        run("docker", "build", "--quiet", "--tag", SERVER, context, env={**os.environ, "DOCKER_BUILDKIT": "0"})


def remove_both() -> None:
    """Remove the images, but not their bases. Raises Failed."""
    run("docker", "rmi", SERVER, SERVICES)


def base_image(image: str, base: Base, again: bool) -> str:
    """The name of the image of a base, which is made if it does not exist, or `again`. Raises Failed."""
    name = base.name(image)
    if not again and works("docker", "image", "inspect", name):
        return name
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        raise Failed("No image can be pulled here, and making one takes root and debootstrap.")
    with tempfile.TemporaryDirectory(prefix="benchdb-image-") as folder:
        root = Path(folder) / "root"
        say(f"no image can be pulled: making one of Debian {base.release}, which takes some minutes")
        run("debootstrap", "--variant=minbase", f"--include={base.packages}", base.release, root)
        base.finish(root)
        with subprocess.Popen(["tar", "-C", root, "-c", "."], stdout=subprocess.PIPE) as packed:
            subprocess.run(["docker", "import", "-", name], stdin=packed.stdout, stdout=sys.stderr, check=True)
    return name


def finish_server(root: Path) -> None:
    """Make the user, and install requirements.txt for the image's Python, but nothing to build the front end."""
    run("chroot", root, "useradd", "--system", "--create-home", "--home-dir", "/var/lib/benchdb", "benchdb")
    wanted = root.parent / "requirements.txt"
    locked = re.sub(r"(?m)^nodejs.*\\\n(?: .*\n)*", "", (ROOT / "requirements.txt").read_text())
    # redis needs async-timeout below Python 3.11.3. Debian has 3.11.2, but pip decides by the Python that runs it.
    wanted.write_text(locked.replace(" ; python_full_version < '3.11.3'", ""))
    target = root / "usr/local/lib/python3.11/dist-packages"
    options: list[str | Path] = [
        "--quiet",
        "--require-hashes",
        "--python-version",
        "3.11",
        "--only-binary=:all:",
        "--target",
        target,
    ]
    run(PYTHON, "-m", "pip", "install", "--disable-pip-version-check", *options, "-r", wanted)


def finish_services(root: Path) -> None:
    """Make the directories and the user that the images postgres, redis and nginx have."""
    run("chroot", root, "useradd", "--system", "nginx")
    for owner, folder in (("postgres", "var/lib/postgresql/data"), ("redis", "data")):
        (root / folder).mkdir(parents=True)
        run("chroot", root, "chown", owner, f"/{folder}")
    (root / "var/lib/postgresql/data").chmod(0o700)
    (root / "run/postgresql").chmod(0o3777)  # as in the image postgres: a tmpfs there inherits the mode


OF_SERVER = Base(
    "bookworm", "python3,python-is-python3,postgresql-client", finish_server
)  # Python 3.11, as in Dockerfile
OF_SERVICES = Base("trixie", "postgresql,redis-server,nginx-light,curl", finish_services)  # PostgreSQL 17, Redis 8


def ignored(directory: str, names: list[str]) -> set[str]:
    """The files that the image does not need."""
    folder = Path(directory).relative_to(ROOT)
    if folder == Path():
        return set(names) - KEPT
    if folder == Path("frontend"):
        return set(names) - {"dist"}
    return {name for name in names if name in ("__pycache__", "build", "tests")}
