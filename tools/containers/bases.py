"""The base images of docker-compose.yml and Dockerfile, made of Debian's packages where no image can be pulled.

They have the names, paths, programs, users and entry points that both files rely on. debootstrap makes their files,
which are kept in var/compose until the packages or scripts below change.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.containers.commands import ROOT, NotHere, run, say, works

KEPT = ROOT / "var" / "compose"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PULL_SECONDS = 120
# /usr/local/bin/python and its site-packages, as if Python were installed there.
FINISH_PYTHON = "python3 -m venv /usr/local"
FINISH_SERVICES = r"""
useradd --system nginx
install -d -o postgres -m 700 /var/lib/postgresql/data
install -d -o redis /data
chmod 3777 /run/postgresql
cat > /usr/local/bin/docker-entrypoint.sh <<"END"
#!/bin/sh
# As the entry point of the image postgres: makes the database before its first start.
set -eu
if [ "$1" = postgres ] && ! [ -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 --encoding=UTF8
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl -o "-c listen_addresses= -c unix_socket_directories=/tmp" -w start
  PGPASSWORD=$(cat "$POSTGRES_PASSWORD_FILE") createdb -h /tmp -U "$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl -w stop
fi
exec "$@"
END
chmod 755 /usr/local/bin/docker-entrypoint.sh
"""


@dataclass(frozen=True, slots=True)
class Base:
    """The files of one or more images. `finish` is a script that completes them from inside."""

    images: Sequence[str]
    release: str
    packages: str
    finish: str
    environment: Mapping[str, str]
    changes: Sequence[str]


# Python 3.11, as in Dockerfile. Its programs trust what this machine trusts.
PYTHON = Base(
    images=["python:3.11-slim"],
    release="bookworm",
    packages="python3,python3-venv,ca-certificates",
    finish=FINISH_PYTHON,
    environment={"PIP_CERT": str(CERTIFICATES), "NODE_EXTRA_CA_CERTS": str(CERTIFICATES)},
    changes=["CMD python3"],
)
# PostgreSQL 17 and Redis 8.
SERVICES = Base(
    images=["postgres:17", "redis:8", "nginx:stable"],
    release="trixie",
    packages="postgresql,redis-server,nginx-light,curl,ca-certificates",
    finish=FINISH_SERVICES,
    environment={
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/17/bin",
        "PGDATA": "/var/lib/postgresql/data",
    },
    changes=['ENTRYPOINT ["docker-entrypoint.sh"]', 'CMD ["postgres"]'],
)


def provide() -> None:
    """Pull the base images, or make them. Raises Failed or NotHere."""
    bases = (PYTHON, SERVICES)
    if all(works("docker", "pull", "--quiet", image, seconds=PULL_SECONDS) for base in bases for image in base.images):
        return
    for base in bases:
        give(base)


def give(base: Base) -> None:
    """Give the engine the images of a base. Raises Failed or NotHere."""
    variables = [f"ENV {name}={value}" for name, value in base.environment.items()]
    changes = [part for change in (*base.changes, *variables) for part in ("--change", change)]
    first, *others = base.images
    run("docker", "import", *changes, packed(base), first)
    for other in others:
        run("docker", "tag", first, other)
    say(f"{', '.join(base.images)}: made of Debian {base.release}")


def packed(base: Base) -> Path:
    """The archive of the files of a base, which is made if it does not exist. Raises Failed or NotHere."""
    KEPT.mkdir(parents=True, exist_ok=True)
    made_of = hashlib.sha256(f"{base.packages}\n{base.finish}".encode()).hexdigest()[:12]
    archive = KEPT / f"{base.release}-{made_of}.tar"
    if archive.exists():
        return archive
    if not shutil.which("debootstrap"):
        raise NotHere("no image can be pulled; to make them, apt-get install debootstrap")
    for old in KEPT.glob(f"{base.release}-*.tar"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="benchdb-image-") as folder:
        root = Path(folder) / "root"
        say(f"no image can be pulled: making one of Debian {base.release}, which takes a minute")
        run("debootstrap", "--variant=minbase", f"--include={base.packages}", base.release, root)
        shutil.copy(CERTIFICATES, root / CERTIFICATES.relative_to("/"))
        script = f"{base.finish}\nrm -rf /var/cache/apt /var/lib/apt/lists"
        run("chroot", root, "env", f"PATH={SERVICES.environment['PATH']}", "sh", "-euc", script)
        run("tar", "-C", root, "-cf", archive.with_suffix(".new"), ".")
    return archive.with_suffix(".new").rename(archive)
