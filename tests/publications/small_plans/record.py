"""Keep the documents that lie in a spool: `python -m tests.publications.small_plans.record SPOOL PLAN WORK_DIR`."""

import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

from benchagent.spool.store import PENDING, Spool

from . import FOLDER

CONTROL_GROUP = re.compile(r"/[\w/]+/benchagent-")


def record(spool: Path, plan: str, work_directory: str) -> None:
    """Write PLAN.jsonl.gz, without paths of the recording machine and its kernel's suffix and command line."""
    waiting = Spool(spool)
    lines = []
    for run_id in waiting.ids(PENDING):
        text = waiting.read(PENDING, run_id).decode()
        release = json.loads(text)["environment"]["kernel"]["release"]
        text = text.replace(work_directory, "work").replace(release, release.partition("-")[0])
        document = json.loads(CONTROL_GROUP.sub("/benchagent-", text))
        document["environment"]["kernel"]["command_line"] = None
        for artifact in document["artifacts"]:
            artifact["sha256"] = hashlib.sha256(artifact["data"].encode()).hexdigest()
        lines.append(json.dumps(document, ensure_ascii=False, separators=(",", ":")))
    text = "".join(f"{line}\n" for line in lines)
    (FOLDER / f"{plan}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    record(Path(sys.argv[1]), *sys.argv[2:])
