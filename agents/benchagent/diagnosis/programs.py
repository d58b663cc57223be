"""Checks the tools, the compiler, and the programs and kernel support of each file system."""

from __future__ import annotations

from collections.abc import Iterator

from benchagent.filesystems import FileSystemType, made
from benchagent.system.programs import find_program
from benchagent.targets.file_systems import known_to_kernel
from benchagent.tools import TOOLS, Tool, fsload
from benchagent.tools.fsload.build import COMPILER, COMPILER_PACKAGES

from .finding import DiagnosisFinding, lacking, present


def programs() -> Iterator[DiagnosisFinding]:
    yield from tools()
    where = find_program("losetup")
    yield present("losetup", "images", where) if where else lacking("losetup", "images", "", "mount")
    yield from map(_file_system, made())


def tools() -> Iterator[DiagnosisFinding]:
    """Checks of the tools and the compiler. The first one builds fsload, which may take some seconds."""
    engine = fsload.TOOL.find()
    yield _tool(fsload.TOOL)
    yield from (_tool(tool) for tool in TOOLS.values() if tool is not fsload.TOOL)
    compiler = find_program(COMPILER)
    if compiler:
        yield present(COMPILER, "build fsload", compiler)
    else:  # an fsload that is already built needs no compiler
        yield lacking(COMPILER, "build fsload", "", *COMPILER_PACKAGES, optional=engine is not None)


def _tool(tool: Tool) -> DiagnosisFinding:
    path = tool.find()
    if path:
        return present(tool.name, "workloads", path)
    if not tool.packages:
        return lacking(tool.name, "workloads", tool.missing)
    hint = f"in Debian's {tool.debian_section}" if tool.debian_section else ""
    return lacking(tool.name, "workloads", hint, *tool.packages)


def _file_system(file_system: FileSystemType) -> DiagnosisFinding:
    """One finding for all prerequisites of a file system. A file system without a checker only lacks the fsck tests."""
    required = [file_system.program, *([file_system.checker.program] if file_system.checker else [])]
    missing = [program for program in required if find_program(program) is None]
    mountable = known_to_kernel(file_system.name)
    purpose = f"{file_system.name} targets"
    if mountable and not missing:
        return present(file_system.name, purpose, ", ".join([*required, "the kernel"]))
    says = ["no " + ", ".join(missing)] if missing else []
    says += [] if mountable else ["this kernel cannot mount it"]
    packages = [file_system.package] if missing else []
    return lacking(file_system.name, purpose, "; ".join(says), *packages, optional=not file_system.usual)
