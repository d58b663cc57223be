#!/usr/bin/env python3
"""Lists the packages of the server and of the browser bundle as CycloneDX: var/sbom/*.cdx.json. `make sbom` calls it.

The lists come from the locked files, so the same commit gives the same bytes, whatever is installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON_PACKAGES = ["-m", "cyclonedx_py", "requirements", "requirements.txt", "--output-reproducible", "--of", "JSON"]
NPM_PACKAGES = ["frontend/npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"]


def packages_of_server() -> str:
    """The Python packages of the server and of the agent file, with their hashes, as a CycloneDX document."""
    return _output([sys.executable, *PYTHON_PACKAGES])


def packages_of_frontend() -> str:
    """The npm packages from which the browser bundle is built, without a serial number and a time."""
    document = json.loads(_output(NPM_PACKAGES))
    del document["serialNumber"], document["metadata"]["timestamp"]
    return json.dumps(document, indent=2) + "\n"


def _output(command: list[str]) -> str:
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def write(directory: Path) -> None:
    """Write both lists into a directory."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in (("server", packages_of_server()), ("frontend", packages_of_frontend())):
        path = directory / f"{name}.cdx.json"
        path.write_text(text)
        print(f"sbom: {path}, {len(json.loads(text)['components'])} packages")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "var" / "sbom")
    write(parser.parse_args().out)
