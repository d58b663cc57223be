"""Checks the tools, the compiler, and the programs and kernel support of each file system."""

from __future__ import annotations

from collections.abc import Iterator

from benchagent.system.programs import find_program
from benchagent.targets.checkers import CHECKERS
from benchagent.targets.file_systems import FILE_SYSTEMS, MkfsProgram, known_to_kernel
from benchagent.tools import TOOLS, Tool, fsload
from benchagent.tools.fsload.build import COMPILER, COMPILER_PACKAGES

from .finding import DiagnosisFinding, lacking, present

USUAL = ("ext2", "ext3", "ext4", "xfs", "btrfs")  # plans with the other file systems are rare


def programs() -> Iterator[DiagnosisFinding]:
    yield from tools()
    where = find_program("losetup")
    yield present("losetup", "images", where) if where else lacking("losetup", "images", "", "mount")
    for file_system in FILE_SYSTEMS.values():
        yield _file_system(file_system)


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


def _file_system(file_system: MkfsProgram) -> DiagnosisFinding:
    """One finding for all prerequisites of a file system. A file system without a checker only lacks the fsck tests."""
    checker = CHECKERS.get(file_system.type)
    required = {file_system.program: file_system.package}
    if checker:
        required[checker.program] = checker.package
    missing = {program: package for program, package in required.items() if find_program(program) is None}
    mountable = known_to_kernel(file_system.type)
    purpose = f"{file_system.type} targets"
    if mountable and not missing:
        return present(file_system.type, purpose, ", ".join([*required, "the kernel"]))
    says = ["no " + ", ".join(missing)] if missing else []
    says += [] if mountable else ["this kernel cannot mount it"]
    packages = dict.fromkeys(missing.values())
    optional = file_system.type not in USUAL
    return lacking(file_system.type, purpose, "; ".join(says), *packages, optional=optional)
