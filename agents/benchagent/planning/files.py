"""Reads the files that a plan's workloads name, such as profiles, from the plan's folder once before the start."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchagent.errors import PlanError, PreparationError
from benchagent.plan.model import Plan, PlanFile, Workload
from benchagent.plan.workloads import file_parameters, text_in_plan
from benchagent.tools import TOOLS

MOST_TEXT = 1024 * 1024  # bytes; archives may have any size, because they are not stored in documents
CHUNK = 1024 * 1024


def with_files(plan: Plan, folder: Path) -> Plan:
    """The plan with its workloads' files from the plan's folder, and the digests of the files as parameters.

    Raises PlanError with every file that cannot be used.
    """
    faults: list[str] = []
    read: dict[tuple[str, bool], PlanFile | str] = {}  # several workloads may name one file
    workloads = tuple(_with_files(workload, folder, read, faults) for workload in plan.workloads)
    if plan.cache == "cold":
        faults += [fault for workload in workloads for fault in _cold_faults(workload)]
    if faults:
        raise PlanError("\n".join(faults))
    return replace(plan, workloads=workloads)


@contextmanager
def placed(plan: Plan, work: Path) -> Iterator[dict[str, str]]:
    """The paths of the files during the `with` block, by their names in the plan.

    Texts are copied into `work`, the agent's own directory, so that an edit of a profile changes no later round.
    """
    files = {file.name: file for workload in plan.workloads for file in workload.files}
    texts = {name: file.text for name, file in files.items() if file.text is not None}
    copies = {name: work / f"{files[name].sha256[:16]}-{Path(name).name}" for name in texts}
    try:
        for name, copy in copies.items():
            _write(copy, texts[name])
        yield {name: str(copies.get(name, file.path)) for name, file in files.items()}
    finally:
        for copy in copies.values():
            copy.unlink(missing_ok=True)


def in_plan_names(text: str, files: Mapping[str, str]) -> str:
    """A tool's output, with the files' names in the plan in place of their paths on this machine."""
    for name, path in files.items():
        text = text.replace(path, name)
    return text


def _write(path: Path, text: str) -> None:
    try:
        path.write_bytes(text.encode())
    except OSError as error:
        raise PreparationError(f"Cannot write {path}: {error.strerror}.") from None


def _with_files(
    workload: Workload, folder: Path, read: dict[tuple[str, bool], PlanFile | str], faults: list[str]
) -> Workload:
    files: list[PlanFile] = []
    parameters = dict(workload.parameters)
    if inside := text_in_plan(workload.tool, parameters):
        encoded = inside.text.encode("utf-8", "replace")
        files.append(PlanFile(inside.name, "", hashlib.sha256(encoded).hexdigest(), encoded.decode()))
        del parameters[inside.key]
        parameters.update({inside.file_key: inside.name, f"{inside.file_key}_sha256": files[0].sha256})
    for key, is_text in file_parameters(workload.tool, workload.parameters).items():
        name = str(parameters[key])
        if (name, is_text) not in read:
            read[name, is_text] = _try_to_read(folder.absolute() / name, name, is_text=is_text)
        file = read[name, is_text]
        if isinstance(file, PlanFile):
            files.append(file)
            parameters[f"{key}_sha256"] = file.sha256
        else:
            faults.append(f"workload {workload.name}: {key}: cannot read {name}: {file}")
    if workload.tool in TOOLS:
        for file in files:
            found = TOOLS[workload.tool].text_faults(parameters, file.text or "")
            faults += [f"workload {workload.name}: {file.name}: {fault}" for fault in found]
            parameters.update(TOOLS[workload.tool].of_text(file.text or ""))
    return replace(workload, files=tuple(files), parameters=parameters)


def _cold_faults(workload: Workload) -> list[str]:
    """The faults of a workload's files in a plan with cold caches."""
    tool = TOOLS.get(workload.tool)
    return [
        f"workload {workload.name}: {file.name}: {fault}"
        for file in (workload.files if tool else ())
        for fault in (tool.cold_text_faults(file.text or "") if tool else ())
    ]


def _try_to_read(path: Path, name: str, *, is_text: bool) -> PlanFile | str:
    """The file, or the reason why it cannot be used."""
    try:
        return _read(path, name, is_text=is_text)
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return str(error)


def _read(path: Path, name: str, *, is_text: bool) -> PlanFile:
    """Read the file. Raises OSError, or ValueError with the fault."""
    digest, content = hashlib.sha256(), b""
    if not path.is_file() and path.exists():
        raise ValueError("it is no regular file")
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            content += chunk if is_text else b""
            if len(content) > MOST_TEXT:
                raise ValueError(f"it is larger than {MOST_TEXT} bytes")
    try:
        return PlanFile(name, str(path), digest.hexdigest(), content.decode() if is_text else None)
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
