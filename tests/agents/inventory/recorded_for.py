"""What each machine was recorded for."""

from typing import Any

GIB, MIB, KIB = 2**30, 2**20, 2**10
ABSENT = "absent"
# The parts of its facts that a machine was recorded for: dictionaries have these keys among others, sets are among
# the items of a list.
RECORDED_FOR: dict[str, Any] = {
    "raid6_hba": {
        "environment": {
            # What hardware hides is declared.
            "raid_arrays": [
                {"level": "raid6", "chunk": 128 * KIB, "members": 12, "disk_model": "HUA721010KLA330"},
                {"name": "sdc", "disk_model": None},
            ],
            "provenance": {"/raid_arrays/0": "declared", "/raid_arrays/1": "declared"},
            # The cache is declared, the firmware detected.
            "controllers": [
                {},
                {"cache": GIB, "cache_mode": "write back, battery", "firmware": "01.03.41.00"},
                {"cache": None, "firmware": None},
            ],
            "contradictions": [
                {
                    "fact": "/controllers/1/firmware",
                    "detected": "01.03.41.00",
                    "declared": "01.03.39.00",
                    "kept": "detected",
                }
            ],
            "memory": {
                "modules": [
                    {"count": 4, "size": GIB, "type": "DDR2 FB-DIMM", "transfer_rate": 667_000_000}
                ]  # dmidecode
            },
        },
        "targets": {
            "/raid/a/bench": {
                "target": {
                    # The file system was made for the array.
                    "file_system": {
                        "type": "ext4",
                        "inode_size": 256,
                        "stride": 128 * KIB,
                        "stripe_width": 10 * 128 * KIB,
                    },
                    # The disk in the stack is the array; what was detected of it stays.
                    "stack": [
                        {"kind": "partition"},
                        {
                            "kind": "raid",
                            "level": "raid6",
                            "chunk": 128 * KIB,
                            "layout": "left-symmetric",
                            "members": 12,
                            "model": "A24U-G2421",
                            "scheduler": "deadline",
                            "read_ahead": 2 * MIB,
                            "nr_requests": 512,
                        },
                        {
                            "kind": "disk",
                            "model": "HUA721010KLA330",
                            "size": 1000204886016,
                            "facts": {"count": 12, "write_cache": "write through"},
                        },
                    ],
                    "provenance": {"/stack/1/chunk": "declared", "/stack/2": "declared", "/stack/1/scheduler": ABSENT},
                }
            },
            "/raid/b": {
                "target": {
                    "file_system": {"type": "xfs", "stripe_width": 10 * 128 * KIB},
                    # Nothing else is declared of its disks.
                    "stack": [
                        {"kind": "partition"},
                        {"kind": "raid"},
                        {"kind": "disk", "facts": {"count": 12}, "model": ABSENT},
                    ],
                }
            },
        },
    },
    "virtualbox_guest": {
        "environment": {
            "virtualization": {"kind": "oracle", "container": "none"},
            # The host's disk may lie on anything.
            "block_devices": [{"model": "VBOX HARDDISK", "transport": "sata", "rotational": None}],
        },
        "targets": {
            "/": {
                "target": {
                    "file_system": {"type": "f2fs", "features": {"compression"}},
                    "provenance": {"/file_system/features": ABSENT},
                }
            }
        },
    },
    "nfs_client": {
        "environment": {
            # Everybody may read the modules.
            "memory": {"modules": [{"count": 2, "size": 8 * GIB, "type": "DDR3", "transfer_rate": 1_600_000_000}]},
            # The clock rises as intel_pstate says.
            "cpu": {"governor": "powersave", "frequency_driver": "intel_cpufreq", "boost": True},
        },
        "targets": {
            "/mnt/bench": {
                "target": {
                    # The options of the server are those in force.
                    "mount": {
                        "options": {"vers=4.2", "rsize=1048576", "wsize=1048576", "nconnect=4", "proto=tcp", "hard"}
                    },
                    "read_ahead": 128 * KIB,
                    # The server has a name that tells nothing.
                    "stack": [
                        {
                            "kind": "network",
                            "facts": {"protocol": "nfs4", "server": "bef62d3200af2fb7", "share": "76986b6cf56ff378"},
                        }
                    ],
                }
            }
        },
    },
    "powermac_g5": {
        "environment": {
            # Processor and board without DMI.
            "cpu": {
                "model": "PPC970MP",
                "architecture": "ppc64",
                "threads": 2,
                "sockets": None,
                "caches": [{"size": 32 * KIB}, {"size": 64 * KIB}, {"size": MIB}],
            },
            "extra": {"board": {"vendor": None, "product": "PowerMac11,2"}},
            "virtualization": {"kind": None},
            "provenance": {"/memory/modules": "unknown"},
        },
        "targets": {
            "/mnt/test": {
                "target": {
                    "stack": [{"kind": "partition"}, {"kind": "disk", "model": "ST3250820AS P"}],
                    "file_system": {"type": "ext3", "inode_size": 128},
                }
            }
        },
    },
    "lvm_striped": {
        "environment": {
            "block_devices": {
                0: {
                    "vendor": "SEAGATE",
                    "transport": "sas",
                    "link": "6.0 Gbit",
                    "queue_depth": 254,
                    "write_cache": "write through",
                }
            },
            "controllers": {1: {"firmware": "20.00.07.00"}},
        },
        "targets": {
            "/srv/bench": {
                "target": {
                    "stack": [
                        {"kind": "lvm", "facts": {"targets": "striped", "stripes": 3, "stripe_size": 256 * KIB}},
                        *[{"kind": "disk"}] * 3,
                    ],
                    "file_system": {"stride": 256 * KIB, "stripe_width": 3 * 256 * KIB},
                }
            }
        },
    },
    "multipath_fc": {
        "environment": {
            # The adapters are controllers.
            "controllers": {
                1: {"driver": "qla2xxx", "firmware": "8.08.231 (d0d5)"},
                2: {"driver": "qla2xxx", "firmware": "8.08.231 (d0d5)"},
            },
            # They run slower than they could.
            "memory": {"modules": [{"count": 6, "transfer_rate": 2_400_000_000}]},
        },
        "targets": {
            "/u02": {
                "target": {
                    "stack": [
                        {
                            "kind": "multipath",
                            "facts": {
                                "targets": "multipath",
                                "paths": 4,
                                "path_groups": 2,
                                "selector": "service-time",
                                "hardware_handler": "alua",
                                "features": "queue_if_no_path pg_init_retries 50 retain_attached_hw_handler",
                            },
                        },
                        {"kind": "disk", "transport": "fc", "facts": {"link": "16 Gbit", "vendor": "NETAPP"}},
                        *[{"kind": "disk"}] * 3,
                    ]
                }
            }
        },
    },
    "btrfs_raid1": {
        "environment": {
            # A declared fact wins only where it says so.
            "block_devices": [{"firmware": "82.00A82"}, {}, {"rotational": False, "link": "5000 Mbit/s"}],
            "provenance": {"/block_devices/2/rotational": "declared"},
            "contradictions": [{"kept": "declared"}, {"kept": "detected"}],
        },
        "targets": {
            "/srv/bench": {
                "target": {
                    "stack": [
                        {"kind": "btrfs", "level": "raid1", "members": 2, "facts": {"metadata_profile": "raid1"}},
                        *[{"kind": "disk"}] * 2,
                    ]
                },
                "state_before": {"arrays": [{"kind": "btrfs", "name": None, "state": "healthy", "done": None}]},
            }
        },
    },
    "zfs_raidz2": {
        "targets": {
            "/tank/bench": {
                "target": {
                    # The pool and its groups.
                    "stack": [
                        {
                            "kind": "zfs",
                            "facts": {
                                "vdevs": "raidz2 of 6, log mirror of 2, cache disk",
                                "ashift": 12,
                                "autotrim": "off",
                            },
                        },
                        {"kind": "raid", "level": "raidz2", "members": 6, "facts": {"role": "data"}},
                        {"kind": "raid", "level": "mirror", "members": 2, "facts": {"role": "log"}},
                        *[{"kind": "partition"}] * 9,
                        *[{"kind": "disk"}] * 8,
                    ],
                    # What the pool has left is no setting.
                    "file_system": {"block_size": 128 * KIB, "size": None},
                    "extra": {"file_system": {"compression": "lz4", "sync": "standard", "arc_max": 32 * GIB}},
                    "read_ahead": None,
                },
                "state_before": {"arrays": [{"kind": "zfs", "name": None, "state": "scrubbing", "done": 0.2502}]},
            }
        }
    },
    "md_raid10_degraded": {
        "environment": {
            "raid_arrays": [{"name": "md127", "level": "raid10", "chunk": 64 * KIB, "layout": "near=2", "members": 4}]
        },
        "targets": {
            "/srv": {
                "state_before": {
                    "arrays": [{"kind": "raid", "name": "md127", "state": "degraded, recovering", "done": 0.308}]
                }
            }
        },
    },
    "raspberry_pi4": {
        "environment": {
            "cpu": {"model": "Cortex-A72", "vendor": "ARM", "max_hz": 1_800_000_000},
            "provenance": {"/controllers": "unknown"},
        },
        "targets": {
            "/home/pi": {
                "target": {
                    "stack": {-1: {"name": "mmcblk0", "model": "SC64G", "transport": "mmc", "rotational": False}}
                }
            }
        },
    },
    "bcache_desktop": {
        "environment": {
            # Two clusters of cores share a cache each.
            "cpu": {
                "caches": {
                    -1: {"level": 3, "type": "unified", "size": 16 * MIB, "shared_by_threads": 6, "count": 2},
                }
            }
        },
        "targets": {
            "/data": {
                "target": {
                    "stack": [
                        {
                            "kind": "bcache",
                            "facts": {
                                "cache_mode": "writeback",
                                "sequential_cutoff": "4.0M",
                                "writeback_percent": 10,
                                "bucket_size": "512.0k",
                                "replacement_policy": "lru",
                            },
                        },
                        {"kind": "partition", "name": "nvme0n1p3", "facts": {"role": "cache"}},
                        {"kind": "disk", "name": "sda", "facts": {"role": "backing"}},
                        {"kind": "disk"},
                    ]
                }
            }
        },
    },
    "numa_two_sockets": {
        "environment": {
            "numa_nodes": [
                {"threads": 8, "memory": 65839132 * KIB, "distances": [10, 21]},
                {"threads": 8, "memory": 66086212 * KIB, "distances": [21, 10]},
            ],
            "cpu": {"sockets": 2, "cores": 8, "threads": 16, "boost": False},
            "memory": {"modules": [{"count": 8, "size": 16 * GIB, "type": "DDR4", "transfer_rate": 2_133_000_000}]},
            "block_devices": {0: {"link": "8.0 GT/s PCIe x4", "queue_depth": 128, "write_cache": "write through"}},
        }
    },
    "container_overlay": {
        "environment": {
            # Its group bounds the memory.
            "memory": {"usable": 2 * GIB, "total": 15988032 * KIB},
            "virtualization": {"kind": "kvm", "container": "docker"},
            "os": {"id": "alpine"},
        },
        "targets": {
            # An overlay ends what can be seen.
            "/": {"target": {"stack": [{"kind": "overlay"}], "mount": {"options": ["rw", "relatime"]}}},
            "/data": {"target": {"stack": [{"kind": "partition"}, {"kind": "disk"}]}},
        },
    },
}
