"""The facts of the machine, from its environment: processors, memory, kernel, controllers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from benchdb.wording.sizes import say_size

from .entries import count, size, text
from .fact import Fact, Filter, FormEntry, Page
from .guarding import Guard, GuardFamily, GuardOptions, Weight, apart, within
from .named import Named
from .run import Run
from .stored import StoredCpu, StoredCpuCache, StoredEnvironment, StoredModule, StoredNode
from .words import say_caches, say_hz, say_modules, say_nodes, say_yes

GROUP = "Machine"

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


def machine_of(run: Run) -> Named:
    """The machine of a run: two machines with one name are two values."""
    return Named.of(run.machine_id, (run.machine.name,), f"machine {run.machine_id}")


def _identity(run: Run) -> tuple[str, int, str]:
    """The name first, which two machines can share; owner and id identify a machine."""
    return run.machine.name, run.machine.owner_id, run.machine.machine_id


def _os_name(environment: StoredEnvironment) -> str | None:
    os = environment["os"]
    return os.get("name") or os["id"]


MACHINE = (
    Fact("machine", "machine", machine_of, place=True, filed=False,
         filter=Filter(group=GROUP, sql="f.machine_id::text"),
         guard=Guard(weight=Weight.SYSTEM, of=_identity, say=lambda machine: machine[0], severe=True)),
    Fact("cpu", "CPU", column="environment__cpu_model", path="environment/cpu/model", place=True,
         filter=Filter(group=GROUP), entry=FormEntry(GROUP, "Intel Xeon E5-2620", text, "cpu_model"),
         guard=Guard(weight=Weight.MACHINE, component="cpu", severe=True, hardware=True),
         follow="cpu_* architecture numa"),
    Fact("cpu_threads", "CPU threads", kind="number", noun="{} CPU threads", column="environment__cpu_threads",
         path="environment/cpu/threads", place=True, filter=Filter(group=GROUP), entry=FormEntry(GROUP, "8", count),
         guard=Guard(weight=Weight.MACHINE, component="cpu", severe=True, hardware=True)),
    Fact("architecture", "architecture", entry=FormEntry(GROUP, "x86_64", text, section="environment",
                                                     pointer="/cpu/architecture"),
         guard=Guard(weight=Weight.DETAIL, of=_architecture, hardware=True)),
    Fact("memory", "memory", kind="size", noun="{} memory", column="environment__memory",
         path="environment/memory/total", place=True,
         filter=Filter(group=GROUP), entry=FormEntry(GROUP, "8 GiB", size),
         guard=Guard(weight=Weight.MACHINE, component="memory", severe=apart(0.1), same=within(MEMORY_STEP),
                     hardware=True),
         follow="memory_* numa file_to_memory"),
    Fact("memory_limit", "memory limit",
         guard=Guard(weight=Weight.MACHINE, component="memory", of=_memory_limit, severe=True, hardware=True)),
    Fact("governor", "frequency governor", column="environment__governor", path="environment/cpu/governor", place=True,
         filter=Filter(group=GROUP), follow="cpu_governor"),
    Fact("virtualization", "virtualization", column="environment__virtualization",
         path="environment/virtualization/kind", place=True, filter=Filter(group=GROUP),
         entry=FormEntry(GROUP, "none, kvm, vmware", text),
         guard=Guard(weight=Weight.MACHINE, component="virtualization", severe=True, hardware=True)),
    Fact("kernel", "kernel", column="environment__kernel_release", path="environment/kernel/release", place=True,
         filter=Filter(group=GROUP), entry=FormEntry(GROUP, "6.1.0-40-amd64", text),
         guard=Guard(weight=Weight.KERNEL, component="kernel", severe=_other_series), follow="kernel_build",
         page=Page("kernels")),
    Fact("kernel_name", "operating system kernel",
         guard=Guard(weight=Weight.KERNEL, component="kernel", of=lambda run: _environment(run)["kernel"].get("name"))),
    Fact("kernel_build", "kernel build",
         guard=Guard(weight=Weight.KERNEL, component="kernel", of_kind=_release,
                     of=lambda run: _environment(run)["kernel"].get("version"))),
    Fact("kernel_options", "kernel options",
         guard=GuardOptions(weight=Weight.KERNEL, component="kernel", of=_command_line)),
    Fact("os", "distribution", column="environment__os_name", path="environment/os/name", store=_os_name, place=True,
         filter=Filter(group=GROUP), entry=FormEntry(GROUP, "Debian 12", text, "distribution"),
         guard=Guard(weight=Weight.KERNEL, component="os", of=_distribution), follow="kernel_options"),
    Fact("container", "container",
         guard=Guard(weight=Weight.KERNEL, component="virtualization",
                     of=lambda run: _environment(run)["virtualization"].get("container"))),
    Fact("cpu_governor", "frequency governor",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=_governor, hardware=True)),
    Fact("cpu_boost", "turbo",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=lambda run: _cpu(run).get("boost"), say=say_yes,
                     hardware=True)),
    Fact("cpu_hz", "CPU frequency",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=lambda run: _cpu(run).get("max_hz"), say=say_hz,
                     same=within(0.01), hardware=True)),
    Fact("cpu_cores", "cores",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=lambda run: _cpu(run).get("cores"), hardware=True)),
    Fact("cpu_sockets", "sockets",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=lambda run: _cpu(run).get("sockets"), hardware=True)),
    Fact("cpu_caches", "CPU caches",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=_caches, say=say_caches, hardware=True)),
    Fact("cpu_vendor", "CPU vendor",
         guard=Guard(weight=Weight.DETAIL, component="cpu", of=lambda run: _cpu(run).get("vendor"), hardware=True)),
    Fact("memory_modules", "memory modules",
         guard=Guard(weight=Weight.DETAIL, component="memory", of=_modules, say=say_modules, hardware=True)),
    Fact("swap", "swap",
         guard=Guard(weight=Weight.DETAIL, component="memory", of=lambda run: _environment(run)["memory"].get("swap"),
                     say=say_size, same=within(0.01), hardware=True)),
    Fact("numa", "NUMA", guard=Guard(weight=Weight.DETAIL, component="numa", of=_nodes, say=say_nodes, hardware=True)),
    Fact("controller_cache", "controller cache",
         guard=Guard(weight=Weight.DETAIL, component="storage", of=_of_controllers("cache"), severe=True,
                     hardware=True)),
    Fact("controller_cache_mode", "controller cache mode",
         guard=Guard(weight=Weight.DETAIL, component="storage", of=_of_controllers("cache_mode"), severe=True,
                     hardware=True)),
    Fact("controller", "storage controllers",
         guard=Guard(weight=Weight.DETAIL, component="storage", of=_of_controllers("model"), hardware=True)),
    Fact("controller_driver", "controller driver",
         guard=Guard(weight=Weight.DETAIL, component="storage", of=_of_controllers("driver"), hardware=True)),
    Fact("controller_firmware", "controller firmware",
         guard=Guard(weight=Weight.DETAIL, component="storage", of=_of_controllers("firmware"), hardware=True)),
    Fact("board.*", "board", guard=GuardFamily(weight=Weight.DETAIL, of=_board, hardware=True)),
)  # fmt: skip
