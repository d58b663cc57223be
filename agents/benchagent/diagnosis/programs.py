"""Checks the tools, the compiler, and the programs and kernel support of each file system."""

from __future__ import annotations

from collections.abc import Iterator

from benchagent.system.programs import find_program
from benchagent.targets.checkers import CHECKERS
from benchagent.targets.file_systems import FILE_SYSTEMS, MkfsProgram, known_to_kernel
from benchagent.tools import TOOLS
from benchagent.tools.fsload_build import COMPILER

from .finding import DiagnosisFinding, lacking, present

USUAL = ("ext2", "ext3", "ext4", "xfs", "btrfs")  # plans with the other file systems are rare
# For a missing tool: a note, and the package that provides it.
TOOL_PACKAGES = {"iozone": ("in Debian's non-free", "iozone3"), "bonnie++": ("", "bonnie++")}
COMPILER_PACKAGES = ("gcc", "libc6-dev")


def programs() -> Iterator[DiagnosisFinding]:
    yield from tools()
    where = find_program("losetup")
    yield present("losetup", "images", where) if where else lacking("losetup", "images", "", "mount")
    for file_system in FILE_SYSTEMS.values():
        yield _file_system(file_system)


def tools() -> Iterator[DiagnosisFinding]:
    """Checks of the tools and the compiler. The first one builds fsload, which may take some seconds."""
    fsload = TOOLS["fsload"].find()
    for tool in TOOLS.values():
        where = tool.find()
        if where:
            yield present(tool.name, "workloads", where)
        else:
            yield lacking(tool.name, "workloads", *TOOL_PACKAGES.get(tool.name, (tool.missing,)))
    compiler = find_program(COMPILER)
    if compiler:
        yield present(COMPILER, "build fsload", compiler)
    else:  # an fsload that is already built needs no compiler
        yield lacking(COMPILER, "build fsload", "", *COMPILER_PACKAGES, optional=fsload is not None)


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
