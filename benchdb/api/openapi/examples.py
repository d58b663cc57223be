"""Examples of requests and answers, by the name of their schema. A test checks them against the schema."""

from __future__ import annotations

RUN = "019ab1c2-7d3e-7c4f-8a5b-6c7d8e9f0a1b"
CAMPAIGN = "019ab1c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f"
JOB = "5f0c7a52-3f0e-4d3c-9b63-1d0a3c0b8e11"
LEASE = "c6a1b9d4-90b2-4a3e-8a4f-2f5b1c7d6e20"
OFFER = {
    "root": False,
    "images": False,
    "directories": 1,
    "devices": 0,
    "tools": ["fsload", "iozone"],
    "file_systems": ["ext4", "xfs"],
}
SERVER = "https://bench.example"

EXAMPLES: dict[str, dict[str, object]] = {
    "RunOut": {"run_id": RUN, "url": f"{SERVER}/runs/{RUN}/", "state": "computing", "failure": ""},
    "ErrorOut": {
        "error": {
            "code": "faulty_document",
            "message": "The document has 1 fault. Correct the document and send it again.",
            "faults": [{"pointer": "/results/3/values/7", "value": -12, "expected": "a number of at least 0"}],
        }
    },
    "GoesWithOut": {
        "address": f"{SERVER}/compare/goes-with/?campaign={CAMPAIGN}&cell=0-1-0",
        "baseline": "ext4",
        "rivals": [
            {
                "label": "xfs",
                "runs": [RUN],
                "different": True,
                "quantities": [
                    {
                        "quantity": "device_flushes",
                        "rank": 1,
                        "unit": "op",
                        "per": "byte",
                        "baseline_mean": 9.54e-07,
                        "rival_mean": 3.91e-06,
                        "ratio": 4.1,
                        "low": 3.8,
                        "high": 4.4,
                        "p": 2.1e-09,
                        "p_adjusted": 5.9e-08,
                    }
                ],
            }
        ],
    },
    "ComparedLatenciesOut": {
        "address": f"{SERVER}/compare/latencies/?campaign={CAMPAIGN}&cell=0-1-0",
        "rivals": [
            {
                "label": "ext4",
                "runs": [RUN],
                "round_count": 8,
                "operations": 512000,
                "percentiles": [{"percentile": 99.9, "latency": 0.0124, "low": 0.0119, "high": 0.0131}],
            }
        ],
    },
    "GateIn": {
        "tests": [
            {
                "name": "ext4 write 64 KiB",
                "metric": "throughput",
                "baseline_values": [1.02e8, 9.9e7],
                "candidate_values": [9.1e7, 9.2e7],
            }
        ],
        "looks": [8, 16],
        "planned": 5,
        "margin": 0.05,
    },
    "GateOut": {
        "level": 0.002,
        "least_rounds": 13,
        "verdicts": [
            {
                "name": "ext4 write 64 KiB",
                "verdict": "worse",
                "rounds_seen": 16,
                "pairs": 16,
                "ratio": 0.906,
                "low": 0.89,
                "high": 0.921,
                "p_adjusted": 0.00031,
                "change": "9 % slower",
                "interval": "8 % to 11 %",
                "text": "Worse: 9 % slower (95 % interval 8 % to 11 %, 16 rounds), corrected p = 0.0003.",
            }
        ],
    },
    "WithdrawalIn": {"reason": "the disk was failing"},
    "PermalinkIn": {"query": f"run={RUN}&rows=file_system&columns=test", "kind": "table"},
    "PermalinkOut": {"id": "k3v7qhd2mzo5wx4a", "url": f"{SERVER}/c/k3v7qhd2mzo5wx4a/", "kind": "table"},
    "TokenOut": {"name": "ci", "scopes": ["upload"], "expires_at": "2027-11-22T00:00:00Z"},
    "QueueIn": {
        "plan": 'rounds = 5\n\n[[targets]]\nkind = "directory"\n\n[[workloads]]\ntool = "iozone"\n',
        "machines": ["epyc-2"],
        "visibility": "public",
    },
    "ClaimIn": {"machine_id": "7a" * 32, "machine_name": "epyc-2", "agent_version": "0.1.0", "offer": OFFER},
    "ClaimOut": {
        "job_id": JOB,
        "lease": LEASE,
        "plan": "rounds = 5\n…",
        "files": {},
        "visibility": "public",
        "report_every": 20,
    },
    "ReportIn": {
        "lease": LEASE,
        "campaign_id": CAMPAIGN,
        "progress": {"point": "ext4/iozone", "round": "3 of 5", "share": 0.42, "left": 380},
    },
    "ReportOut": {"go_on": True, "report_every": 20},
    "FinishIn": {"lease": LEASE, "outcome": "finished", "campaign_id": CAMPAIGN},
    "FinishOut": {"state": "finished"},
    "StatusOut": {
        "runs": 1204,
        "states": {"ready": 1203, "failed": 1},
        "statistics": {"version": 4, "done": 1204, "outdated": 0},
        "parsers": {"version": "5", "unread": 0, "refused": 0},
    },
}
