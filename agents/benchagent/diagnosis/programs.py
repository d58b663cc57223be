"""The tools, the compiler, and what makes, checks and mounts each file system."""

from __future__ import annotations

from collections.abc import Iterator

from benchagent.system.programs import find_program
from benchagent.targets.checkers import CHECKERS
from benchagent.targets.file_systems import FILE_SYSTEMS, FileSystem, known_to_kernel
from benchagent.tools import TOOLS, Tool, fsload
from benchagent.tools.fsload.build import COMPILER, COMPILER_PACKAGES

from .finding import Finding, lacking, present

USUAL = ("ext2", "ext3", "ext4", "xfs", "btrfs")  # of the others, plans are rare


def programs() -> Iterator[Finding]:
    yield from tools()
    where = find_program("losetup")
    yield present("losetup", "images", where) if where else lacking("losetup", "images", "", "mount")
    for file_system in FILE_SYSTEMS.values():
        yield _file_system(file_system)


def tools() -> Iterator[Finding]:
    """fsload first. It is built if necessary, so this may take some seconds the first time."""
    engine = fsload.TOOL.find()
    yield _tool(fsload.TOOL)
    yield from (_tool(tool) for tool in TOOLS.values() if tool is not fsload.TOOL)
    compiler = find_program(COMPILER)
    if compiler:
        yield present(COMPILER, "build fsload", compiler)
    else:  # an fsload that is there needs no compiler any more
        yield lacking(COMPILER, "build fsload", "", *COMPILER_PACKAGES, optional=engine is not None)


def _tool(tool: Tool) -> Finding:
    path = tool.find()
    if path:
        return present(tool.name, "workloads", path)
    if not tool.packages:
        return lacking(tool.name, "workloads", tool.missing)
    hint = f"in Debian's {tool.debian_section}" if tool.debian_section else ""
    return lacking(tool.name, "workloads", hint, *tool.packages)


def _file_system(file_system: FileSystem) -> Finding:
    """One line for all that a file system wants. Without a program that checks it, only the fsck tests are left out."""
    checker = CHECKERS.get(file_system.type)
    wanted = {file_system.program: file_system.package}
    if checker:
        wanted[checker.program] = checker.package
    missing = {program: package for program, package in wanted.items() if find_program(program) is None}
    known = known_to_kernel(file_system.type)
    purpose = f"{file_system.type} targets"
    if known and not missing:
        return present(file_system.type, purpose, ", ".join([*wanted, "the kernel"]))
    says = ["no " + ", ".join(missing)] if missing else []
    says += [] if known else ["this kernel cannot mount it"]
    packages = dict.fromkeys(missing.values())
    optional = file_system.type not in USUAL
    return lacking(file_system.type, purpose, "; ".join(says), *packages, optional=optional)
