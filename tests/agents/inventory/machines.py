"""All recorded machines, with the examined paths and the expected facts of each.

`PYTHONPATH=.:agents python -m tests.agents.inventory.machines` rewrites expected/*.json: then read the difference,
fact by fact, against the tree.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from benchagent.inventory import Source, environment, target
from tests.agents.inventory.trees import recorded

EXPECTED = Path(__file__).parent / "expected"
MACHINES = {
    "bcache_desktop": ["/data"],
    "btrfs_raid1": ["/srv/bench"],
    "container_overlay": ["/", "/data"],
    "luks_nvme": ["/home/wanda"],
    "lvm_striped": ["/srv/bench"],
    "md_raid10_degraded": ["/srv"],
    "multipath_fc": ["/u02"],
    "nfs_client": ["/mnt/bench", "/"],
    "numa_two_sockets": ["/mnt/bench"],
    "powermac_g5": ["/mnt/test"],
    "raid5_sata": ["/srv/data/bench"],
    "raid6_hba": ["/raid/a/bench", "/raid/b"],
    "raspberry_pi4": ["/home/pi"],
    "virtio_guest": ["/", "/mnt/ext4", "/mnt/xfs", "/mnt/btrfs", "/dev/shm"],
    "virtualbox_guest": ["/"],
    "zfs_raidz2": ["/tank/bench"],
    "zoned_and_memory": ["/mnt/zoned", "/mnt/pmem", "/mnt/zram"],
}
PLACES = [(name, path) for name, paths in MACHINES.items() for path in paths]


def facts(source: Source, paths: list[str]) -> dict[str, Any]:
    """`{environment, targets{path: {target, state_before}}}`."""
    found = {path: _target(path, source) for path in paths}
    return {"environment": environment(source), "targets": found}


def _target(path: str, source: Source) -> dict[str, Any]:
    settings, state = target(path, source)
    return {"target": settings, "state_before": state}


def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXPECTED / f"{name}.json").read_text(encoding="utf-8"))
    return found


def write_expected() -> None:
    EXPECTED.mkdir(exist_ok=True)
    for name, paths in MACHINES.items():
        with tempfile.TemporaryDirectory() as directory:
            inventory = facts(recorded(name, Path(directory)), paths)
        text = json.dumps(inventory, indent=1, ensure_ascii=False)
        (EXPECTED / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_expected()
