"""Facts of the machine, from its environment: processors, memory, kernel, controllers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from benchdb.runs.models import Run
from benchdb.runs.models.json_columns import StoredCpu, StoredCpuCache, StoredEnvironment, StoredModule, StoredNode
from benchdb.wording.sizes import say_size

from .fact import Guarded, GuardedFact, GuardedFamily, GuardedOptions, apart, within
from .wording import say_caches, say_hz, say_modules, say_nodes, say_yes

MEMORY_STEP = 0.01  # kernels reserve a little more or less of the same DIMMs
LIMIT_STEP = 0.05  # a control group that may use nearly all memory is not limited
# Words of a kernel's command line that name the source of the boot and do not change how the kernel works.
BOOT = re.compile(r"(BOOT_IMAGE|initrd|root|resume|rootflags|rd\.luks\.uuid|console)=|ro$|rw$|quiet$|splash$")


def _environment(run: Run) -> StoredEnvironment:
    facts: StoredEnvironment = run.environment.facts
    return facts


def _cpu(run: Run) -> StoredCpu:
    return _environment(run)["cpu"]


def _memory_limit(run: Run) -> str | None:
    """`none`, or the memory that the control group may use; None if unknown."""
    memory = _environment(run)["memory"]
    total, usable = memory["total"], memory.get("usable")
    if total is None or usable is None:
        return None
    return "none" if usable >= (1 - LIMIT_STEP) * total else say_size(usable)


def _governor(run: Run) -> str | None:
    cpu = _cpu(run)
    driver = f" ({cpu['frequency_driver']})" if cpu.get("frequency_driver") else ""
    return f"{cpu['governor']}{driver}" if cpu.get("governor") else None


def _architecture(run: Run) -> str | None:
    """The architecture of the processor, and that of the kernel if it differs (32 bits on 64)."""
    facts = _environment(run)
    architectures = [facts["cpu"].get("architecture"), facts["kernel"].get("architecture")]
    return ", kernel ".join(dict.fromkeys(filter(None, architectures))) or None


def _release(run: Run) -> str | None:
    return run.environment.kernel_release


def _other_series(releases: Sequence[str]) -> bool:
    """Whether two kernels are of different series: 6.1 and 6.12, not 6.1.1 and 6.1.2."""
    return len({re.sub(r"(\d*\.?\d*).*", r"\1", release, count=1, flags=re.DOTALL) for release in releases}) > 1


def _command_line(run: Run) -> list[str] | None:
    line = _environment(run)["kernel"].get("command_line")
    return None if line is None else [word for word in line.split() if not BOOT.match(word)]


def _distribution(run: Run) -> str | None:
    os = _environment(run)["os"]
    return os.get("name") or " ".join(filter(None, [os["id"], os.get("version")])) or None


def _of_controllers(
    key: Literal["cache", "cache_mode", "model", "driver", "firmware"],
) -> Callable[[Run], str | None]:
    """The values of this key in the machine's controllers, each once; None if no controller has it."""

    def of(run: Run) -> str | None:
        values = [controller.get(key) for controller in _environment(run).get("controllers") or []]
        texts = [say_size(value) if isinstance(value, int) else value for value in values if value is not None]
        return ", ".join(sorted(set(texts))) or None

    return of


def _board(run: Run) -> Mapping[str, object]:
    board = _environment(run).get("extra", {}).get("board")
    return board if isinstance(board, dict) else {}


def _caches(run: Run) -> list[StoredCpuCache] | None:
    """The kinds of caches; None if there is none, because nothing could be read then. So are modules and nodes."""
    return _cpu(run).get("caches") or None


def _modules(run: Run) -> list[StoredModule] | None:
    return _environment(run)["memory"].get("modules") or None


def _nodes(run: Run) -> list[StoredNode] | None:
    return _environment(run).get("numa_nodes") or None


MACHINE: list[Guarded] = [
    GuardedFact("cpu", "CPU", lambda run: run.environment.cpu_model, "cpu", severe=True),
    GuardedFact("cpu_threads", "hardware threads", lambda run: _cpu(run).get("threads"), "cpu", severe=True),
    GuardedFact(
        "memory", "memory", lambda run: run.environment.memory, "memory", say_size, apart(0.1), within(MEMORY_STEP)
    ),
    GuardedFact("memory_limit", "memory limit", _memory_limit, "memory", severe=True),
    GuardedFact(
        "virtualization", "virtualization", lambda run: run.environment.virtualization, "virtualization", severe=True
    ),
]
KERNEL: list[Guarded] = [
    GuardedFact("kernel", "kernel", _release, "kernel", severe=_other_series),
    GuardedFact(
        "kernel_name", "operating system kernel", lambda run: _environment(run)["kernel"].get("name"), "kernel"
    ),
    GuardedFact(
        "kernel_build",
        "kernel build",
        lambda run: _environment(run)["kernel"].get("version"),
        "kernel",
        of_kind=_release,
    ),
    GuardedOptions("kernel_options", "kernel options", _command_line, "kernel"),
    GuardedFact("os", "distribution", _distribution, "os"),
    GuardedFact(
        "container", "container", lambda run: _environment(run)["virtualization"].get("container"), "virtualization"
    ),
]
DETAILS: list[Guarded] = [
    GuardedFact("cpu_governor", "frequency governor", _governor, "cpu"),
    GuardedFact("cpu_boost", "turbo", lambda run: _cpu(run).get("boost"), "cpu", say_yes),
    GuardedFact("cpu_hz", "CPU frequency", lambda run: _cpu(run).get("max_hz"), "cpu", say_hz, same=within(0.01)),
    GuardedFact("cpu_cores", "cores", lambda run: _cpu(run).get("cores"), "cpu"),
    GuardedFact("cpu_sockets", "sockets", lambda run: _cpu(run).get("sockets"), "cpu"),
    GuardedFact("cpu_caches", "CPU caches", _caches, "cpu", say_caches),
    GuardedFact("cpu_vendor", "CPU vendor", lambda run: _cpu(run).get("vendor"), "cpu"),
    GuardedFact("architecture", "architecture", _architecture, "run"),
    GuardedFact("memory_modules", "memory modules", _modules, "memory", say_modules),
    GuardedFact(
        "swap", "swap", lambda run: _environment(run)["memory"].get("swap"), "memory", say_size, same=within(0.01)
    ),
    GuardedFact("numa", "NUMA", _nodes, "numa", say_nodes),
    GuardedFact("controller_cache", "controller cache", _of_controllers("cache"), "storage", severe=True),
    GuardedFact(
        "controller_cache_mode", "controller cache mode", _of_controllers("cache_mode"), "storage", severe=True
    ),
    GuardedFact("controller", "storage controllers", _of_controllers("model"), "storage"),
    GuardedFact("controller_driver", "controller driver", _of_controllers("driver"), "storage"),
    GuardedFact("controller_firmware", "controller firmware", _of_controllers("firmware"), "storage"),
    GuardedFamily("board", "board", _board, "run"),
]
