"""What the agent does with each example job file of fio: the table of docs/fio.md.

A job file that the agent accepts runs through the agent on an ext4 image, scaled down: files of 4 MiB, one second, two
processes. The files are part of fio, and not of this project: `FIO_EXAMPLES` names the folder, else Debian's is used.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchagent.formats.fio.options import size_of
from benchagent.tools import TOOLS
from benchagent.tools.fio.job_file import local_faults
from benchagent.tools.fio.served import served_faults

INSTALLED = Path("/usr/share/doc/fio/examples")
AGENTS = Path(__file__).parents[3] / "agents"
TIMEOUT = 20  # seconds of one job file
# The most that a scaled job file has of each option. A time is set for every job.
SCALE = {
    **dict.fromkeys(("size", "filesize", "io_size", "io_limit"), "4m"),
    **dict.fromkeys(("ramp_time", "startdelay", "start_delay"), "1"),
    **dict.fromkeys(("numjobs", "loops"), "2"),
    **dict.fromkeys(("nrfiles", "openfiles"), "100"),
}
_OPTION = re.compile(rf"(?m)^([ \t]*({'|'.join(SCALE)})[ \t]*=)[ \t]*([^;#\n]*)")
_TIME = re.compile(r"(?m)^[ \t]*(?:runtime|timeout)[ \t]*=.*\n?")
_SECTION = re.compile(r"(?m)^([ \t]*\[(?!global).*)$")
_LONGEST = 110  # characters of a reason


@dataclass(frozen=True, slots=True)
class Example:
    """One job file: `refused` locally, `served` why a queued plan may not have it, `ran` how the scaled file ended."""

    name: str
    refused: str
    served: str
    ran: str = ""


def scaled(text: str) -> str:
    """The job file with smaller sizes and numbers, and with at most one second for each job."""
    smaller = _OPTION.sub(lambda match: match[1] + _smaller(match[3].strip(), SCALE[match[2]]), text)
    return _SECTION.sub(r"\1\nruntime=1", _TIME.sub("", smaller))


def _smaller(value: str, most: str) -> str:
    """The smaller one of both; `most` for anything but a plain number or size."""
    printed, limit = size_of(value, {}), size_of(most, {})
    return value if printed is not None and limit is not None and printed <= limit else most


def main() -> None:
    """Print the table; the reason if there are no examples."""
    folder = Path(os.environ.get("FIO_EXAMPLES", INSTALLED))
    files = sorted(folder.glob("*.fio"))
    if not files:
        print(f"skipped: no job files in {folder}; FIO_EXAMPLES names another folder")
        return
    if TOOLS["fio"].find() is None:
        print(f"skipped: {TOOLS['fio'].missing}")
        return
    texts = {file.name: file.read_text(errors="replace") for file in files}
    examples = [judged(name, text) for name, text in texts.items()]
    ran = run({each.name: scaled(texts[each.name]) for each in examples if not each.refused})
    version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{len(examples)} job files with {version}")
    print("| job file | the agent, for a person | in a queued plan |")
    print("|---|---|---|")
    for each in examples:
        print(f"| `{each.name}` | {each.refused or ran[each.name]} | {each.served or 'accepted'} |")


def judged(name: str, text: str) -> Example:
    refused, served = local_faults({}, text), served_faults({}, text)
    return Example(
        name,
        f"refused: {_cell(refused[0])}" if refused else "",
        f"refused: {_cell(served[0].partition('; ')[0])}" if served else "",
    )


def run(texts: dict[str, str]) -> dict[str, str]:
    """How each job file ended, by name: `runs` with the number of its results, or fio's words."""
    with tempfile.TemporaryDirectory(prefix="benchdb-fio-") as folder:
        return dict(_run(texts, Path(folder)))


def _run(texts: dict[str, str], folder: Path) -> Iterator[tuple[str, str]]:
    root = os.geteuid() == 0
    target = 'kind = "image"\nsize = "512 MiB"\nfile_system = "ext4"' if root else 'kind = "directory"'
    plan = f'name = "examples"\nrounds = 1\n[[targets]]\n{target}\n'
    names = {f"e{number}": name for number, name in enumerate(texts)}
    for short, name in names.items():
        (folder / f"{short}.fio").write_text(texts[name])
        plan += f'[[workloads]]\nname = "{short}"\ntool = "fio"\ntimeout = {TIMEOUT}\njob_file = "{short}.fio"\n'
    (folder / "plan.toml").write_text(plan)
    (folder / "directory").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(AGENTS), "BENCHAGENT_STATE": str(folder / "state")}
    command = [sys.executable, "-m", "benchagent", "run", str(folder / "plan.toml")]
    subprocess.run([*command, "--directory", str(folder / "directory")], env=environment, check=False)
    for path in (folder / "state" / "spool" / "pending").glob("*.json"):
        document = json.loads(path.read_bytes())
        short = document["campaign"]["point"].partition("/")[2]
        if short in names:
            yield names[short], _ended(document)


def _ended(document: dict[str, object]) -> str:
    rounds = document["rounds"]
    assert isinstance(rounds, list)
    [only] = rounds
    if only["status"] == "ok":
        return "runs"
    return f"fails: {_cell(_words(only['error']))}"


def _words(error: str) -> str:
    """The first line of fio's words that says why, in place of what follows from it."""
    lines = [line for line in error.splitlines() if line.strip() and "dropped" not in line]
    return lines[0] if lines else error


def _cell(text: str) -> str:
    """A text for a cell of a table, shortened."""
    plain = re.sub(r"\s+", " ", text).replace("|", "/").replace("<", "&lt;")
    return plain if len(plain) <= _LONGEST else plain[:_LONGEST] + "…"
