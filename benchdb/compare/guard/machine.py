"""Facts of the machine, from its environment: processors, memory, kernel, controllers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from benchdb.runs.models import Run
from benchdb.wording.sizes import say_size

from .fact import Guarded, GuardedFact, GuardedFamily, GuardedOptions, apart, within
from .wording import say_caches, say_hz, say_modules, say_nodes, say_yes

MEMORY_STEP = 0.01  # kernels reserve a little more or less of the same DIMMs
LIMIT_STEP = 0.05  # a control group that may use nearly all memory is not limited
# Words of a kernel's command line that name the source of the boot and do not change how the kernel works.
BOOT = re.compile(r"(BOOT_IMAGE|initrd|root|resume|rootflags|rd\.luks\.uuid|console)=|ro$|rw$|quiet$|splash$")


def _cpu(key: str) -> Any:
    return lambda run: run.environment.facts["cpu"].get(key)


def _memory_limit(run: Run) -> str | None:
    """`none`, or the memory that the control group may use; None if unknown."""
    total, usable = run.environment.facts["memory"]["total"], run.environment.facts["memory"].get("usable")
    if total is None or usable is None:
        return None
    return "none" if usable >= (1 - LIMIT_STEP) * total else say_size(usable)


def _governor(run: Run) -> str | None:
    cpu = run.environment.facts["cpu"]
    driver = f" ({cpu['frequency_driver']})" if cpu.get("frequency_driver") else ""
    return f"{cpu['governor']}{driver}" if cpu.get("governor") else None


def _architecture(run: Run) -> str | None:
    """The architecture of the processor, and that of the kernel if it differs (32 bits on 64)."""
    architectures = [run.environment.facts[section].get("architecture") for section in ("cpu", "kernel")]
    return ", kernel ".join(dict.fromkeys(filter(None, architectures))) or None


def _release(run: Run) -> str | None:
    return run.environment.kernel_release


def _other_series(releases: Sequence[str]) -> bool:
    """Whether two kernels are of different series: 6.1 and 6.12, not 6.1.1 and 6.1.2."""
    return len({re.sub(r"(\d*\.?\d*).*", r"\1", release, count=1, flags=re.DOTALL) for release in releases}) > 1


def _command_line(run: Run) -> list[str] | None:
    line = run.environment.facts["kernel"].get("command_line")
    return None if line is None else [word for word in line.split() if not BOOT.match(word)]


def _distribution(run: Run) -> str | None:
    os = run.environment.facts["os"]
    return os.get("name") or " ".join(filter(None, [os["id"], os.get("version")])) or None


def _of_controllers(key: str) -> Any:
    """The values of this key in the machine's controllers, each once; None if no controller has it."""

    def of(run: Run) -> str | None:
        values = [controller.get(key) for controller in run.environment.facts.get("controllers") or []]
        texts = [say_size(value) if key == "cache" else str(value) for value in values if value is not None]
        return ", ".join(sorted(set(texts))) or None

    return of


def _board(run: Run) -> Mapping[str, Any]:
    board = run.environment.facts.get("extra", {}).get("board")
    return board if isinstance(board, dict) else {}


def _listed(section: str, key: str | None = None) -> Any:
    """A list of facts; None if it is empty, because nothing could be read then."""

    def of(run: Run) -> Any:
        facts = run.environment.facts.get(section)
        return (facts.get(key) if key and facts else facts) or None

    return of


MACHINE: list[Guarded] = [
    GuardedFact("cpu", "CPU", lambda run: run.environment.cpu_model, "cpu", severe=True),
    GuardedFact("cpu_threads", "hardware threads", _cpu("threads"), "cpu", severe=True),
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
        "kernel_name", "operating system kernel", lambda r: r.environment.facts["kernel"].get("name"), "kernel"
    ),
    GuardedFact(
        "kernel_build",
        "kernel build",
        lambda run: run.environment.facts["kernel"].get("version"),
        "kernel",
        of_kind=_release,
    ),
    GuardedOptions("kernel_options", "kernel options", _command_line, "kernel"),
    GuardedFact("os", "distribution", _distribution, "os"),
    GuardedFact(
        "container", "container", lambda r: r.environment.facts["virtualization"].get("container"), "virtualization"
    ),
]
DETAILS: list[Guarded] = [
    GuardedFact("cpu_governor", "frequency governor", _governor, "cpu"),
    GuardedFact("cpu_boost", "turbo", _cpu("boost"), "cpu", say_yes),
    GuardedFact("cpu_hz", "CPU frequency", _cpu("max_hz"), "cpu", say_hz, same=within(0.01)),
    GuardedFact("cpu_cores", "cores", _cpu("cores"), "cpu"),
    GuardedFact("cpu_sockets", "sockets", _cpu("sockets"), "cpu"),
    GuardedFact("cpu_caches", "CPU caches", _listed("cpu", "caches"), "cpu", say_caches),
    GuardedFact("cpu_vendor", "CPU vendor", _cpu("vendor"), "cpu"),
    GuardedFact("architecture", "architecture", _architecture, "run"),
    GuardedFact("memory_modules", "memory modules", _listed("memory", "modules"), "memory", say_modules),
    GuardedFact(
        "swap", "swap", lambda r: r.environment.facts["memory"].get("swap"), "memory", say_size, same=within(0.01)
    ),
    GuardedFact("numa", "NUMA", _listed("numa_nodes"), "numa", say_nodes),
    GuardedFact("controller_cache", "controller cache", _of_controllers("cache"), "storage", severe=True),
    GuardedFact(
        "controller_cache_mode", "controller cache mode", _of_controllers("cache_mode"), "storage", severe=True
    ),
    GuardedFact("controller", "storage controllers", _of_controllers("model"), "storage"),
    GuardedFact("controller_driver", "controller driver", _of_controllers("driver"), "storage"),
    GuardedFact("controller_firmware", "controller firmware", _of_controllers("firmware"), "storage"),
    GuardedFamily("board", "board", _board, "run"),
]
