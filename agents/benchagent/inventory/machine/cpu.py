"""The processors: /proc/cpuinfo for their name, /sys/devices/system/cpu for topology, clock and caches.

The format of /proc/cpuinfo differs by architecture. On arm64 it has numbers in place of a name; the name then comes
from `lscpu`, which has a table of names.
"""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

CPU = "/sys/devices/system/cpu"
# x86 and riscv; loongarch; mips; ppc and sparc; riscv without a name; ARM before 2012.
MODEL_KEYS = ("model name", "Model Name", "cpu model", "cpu", "uarch", "Processor")
SIZE_SUFFIX = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}


def cpu(source: Source) -> Facts:
    """The contract's `environment.cpu`, of the online processors."""
    blocks = parse_cpuinfo(source.text("/proc/cpuinfo") or "")
    online = _online(source, blocks)
    lscpu = {} if _model(blocks) else parse_lscpu(source.output("lscpu") or "")
    return {
        "model": _model(blocks) or clean(lscpu.get("model name")),
        "vendor": _first(blocks, "vendor_id") or clean(lscpu.get("vendor id")),
        "architecture": architecture(source),
        "sockets": _count(source, online, "physical_package_id", blocks, ("physical id",)),
        "cores": _count(source, online, "thread_siblings_list", blocks, ("physical id", "core id")),
        "threads": len(online) or None,
        "max_hz": _max_hz(source, online),
        "governor": _policy(source, online, "scaling_governor"),
        "frequency_driver": _policy(source, online, "scaling_driver"),
        "boost": _boost(source),
        "caches": caches(source, online),
    }


def architecture(source: Source) -> str | None:
    """The machine's name for its architecture, as printed by `uname -m`: x86_64, aarch64, ppc64, …"""
    return clean(source.output("uname", "-m")) or source.line("/proc/sys/kernel/arch")


def parse_cpuinfo(text: str) -> list[dict[str, str]]:
    """The paragraphs of /proc/cpuinfo. On ppc and ARM, the last one describes the whole machine."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", text):
        pairs = (line.partition(":") for line in paragraph.splitlines() if ":" in line)
        block = {key.strip(): value.strip() for key, _, value in pairs}
        if block:
            blocks.append(block)
    return blocks


def parse_lscpu(text: str) -> dict[str, str]:
    """`lscpu` without options: `Name: value` lines, keys in lower case. The value `-` means unknown."""
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs if value.strip() != "-"}


def parse_cpu_list(text: str) -> list[int]:
    """The kernel's lists of numbers: `0-3,8` is [0, 1, 2, 3, 8]. Raises ValueError for anything else."""
    numbers: list[int] = []
    for span in text.strip().split(","):
        if span:
            first, _, last = span.partition("-")
            numbers.extend(range(int(first), int(last or first) + 1))
    return numbers


def parse_size(text: str | None) -> int | None:
    """A size as sysfs writes it for caches (`48K`), in bytes."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text or "")
    return int(match[1]) * SIZE_SUFFIX[match[2]] if match else None


def caches(source: Source, online: list[int]) -> list[Facts]:
    """One entry per kind of cache, with its count; `[]` if /sys has no caches (ARM boards, containers)."""
    instances: dict[tuple[int, str, str], tuple[int | None, int | None]] = {}
    for number in online:
        base = f"{CPU}/cpu{number}/cache"
        for index in source.names(base):
            level, kind = source.integer(f"{base}/{index}/level"), source.line(f"{base}/{index}/type")
            if level is None:
                continue
            shared = source.line(f"{base}/{index}/shared_cpu_list")
            instance = (level, (kind or "").lower(), shared or str(number))
            sharers = len(parse_cpu_list(shared)) if shared else None
            instances[instance] = (parse_size(source.line(f"{base}/{index}/size")), sharers)
    kinds: dict[tuple[int, str, int | None, int | None], int] = {}
    for (level, name, _), (size, sharers) in sorted(instances.items(), key=lambda item: item[0][:2]):
        kinds[level, name, size, sharers] = kinds.get((level, name, size, sharers), 0) + 1
    return [
        {"level": level, "type": name or None, "size": size, "shared_by_threads": sharers, "count": count}
        for (level, name, size, sharers), count in kinds.items()
    ]


def _online(source: Source, blocks: list[dict[str, str]]) -> list[int]:
    listed = source.line(f"{CPU}/online")
    if listed:
        return parse_cpu_list(listed)
    return [int(block["processor"]) for block in blocks if block.get("processor", "").isdecimal()]


def _first(blocks: list[dict[str, str]], key: str) -> str | None:
    return next((clean(block[key]) for block in blocks if block.get(key)), None)


def _model(blocks: list[dict[str, str]]) -> str | None:
    model = next(filter(None, (_first(blocks, key) for key in MODEL_KEYS)), None)
    return model.split(",")[0] if model else None  # ppc: "PPC970MP, altivec supported"


def _count(
    source: Source, online: list[int], file: str, blocks: list[dict[str, str]], keys: tuple[str, ...]
) -> int | None:
    """Number of distinct values of a topology file over the processors, else of keys in /proc/cpuinfo.

    ARM firmware without the tables gives -1 for every socket, which means unknown.
    """
    values = [source.line(f"{CPU}/cpu{number}/topology/{file}") for number in online]
    if values and None not in values:
        return None if "-1" in values else len(set(values))
    topologies = [tuple(block.get(key) for key in keys) for block in blocks if "processor" in block]
    return len(set(topologies)) if topologies and all(None not in value for value in topologies) else None


def _max_hz(source: Source, online: list[int]) -> int | None:
    """The highest clock of any processor, in Hz. The current clock, in /proc/cpuinfo, is not a fact of the machine."""
    kilohertz = [source.integer(f"{CPU}/cpu{number}/cpufreq/cpuinfo_max_freq") for number in online]
    clocks = [value for value in kilohertz if value]
    return max(clocks) * 1000 if clocks else None


def _policy(source: Source, online: list[int], file: str) -> str | None:
    """The content of a file of the clock policies; several words if the processors differ."""
    words = {source.line(f"{CPU}/cpu{number}/cpufreq/{file}") for number in online} - {None}
    return ", ".join(sorted(str(word) for word in words)) or None


def _boost(source: Source) -> bool | None:
    """Whether the clock may rise above its nominal rate; intel_pstate has the inverse value."""
    no_turbo = source.integer(f"{CPU}/intel_pstate/no_turbo")
    boost = source.integer(f"{CPU}/cpufreq/boost") if no_turbo is None else 1 - no_turbo
    return None if boost is None else boost == 1
