"""Filebench workloads for the tests, and a reader of fsload's results."""

from pathlib import Path
from typing import Any

# The listing in the appendix of the comparison paper, unchanged.
PAPER = """\
#Test Workload for OS
set $nthreads=4
define fileset
name="testF",entries=1000,filesize=1k,prealloc,path="/tmp"
define process name="readerP",instances=1 {
  thread name="readerT",instances=$nthreads {
    flowop openfile name="openOP",filesetName="testF"
    flowop readwholefile name="readOP",filename="testF"
    flowop closefile name="closeOP"
  }
}
run 60
"""

# Create, write, append, read, delete and stat, in threads that have their own share of the files.
SERVER = """\
set $dir=/nowhere
set $files=200
set $size=cvar(type=cvar-gamma,parameters=mean:8192;gamma:1.5)
set $append = 4k   # at most

define fileset name=big,path=$dir,size=$size,entries=$files,dirwidth=20,prealloc=80
define fileset name=log,path="$dir/log",size=0,entries=1,dirwidth=20,prealloc

define process name=server,instances=1
{
  thread name=worker,memsize=10m,instances=4
  {
    flowop createfile name=create1,filesetname=big,fd=1
    flowop writewholefile name=write1,srcfd=1,fd=1,iosize=1m
    flowop fsync name=sync1,fd=1
    flowop closefile name=close1,fd=1
    flowop openfile name=open2,filesetname=big,fd=1
    flowop appendfilerand name=append2,iosize=$append,fd=1
    flowop readwholefile name=read2,fd=1,iosize=1m
    flowop closefile name=close2,fd=1
    flowop appendfile name=append3,filesetname=log,iosize=100,fd=2
    flowop deletefile name=delete1,filesetname=big
    flowop statfile name=stat1,filesetname=big
    flowop opslimit name=limit
  }
}

echo  "A server, successfully loaded"
run $files
"""

STEPS = (
    "createfile create1,writewholefile write1,fsync sync1,closefile close1,openfile open2,appendfilerand append2,"
    "readwholefile read2,closefile close2,appendfile append3,deletefile delete1,statfile stat1"
)


def threads(
    *flowops: str, filesets: str = "define fileset name=a,entries=10,size=4k,prealloc", run: str = "run 1"
) -> str:
    """The text of a workload of one thread."""
    lines = "\n".join(f"    flowop {flowop}" for flowop in flowops)
    return f"{filesets}\ndefine process name=p {{\n  thread name=t {{\n{lines}\n  }}\n}}\n{run}\n"


def write(directory: Path, text: str) -> str:
    path = directory.parent / f"{directory.name}.f"
    path.write_text(text)
    return str(path)


def by_flowop(results: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Results by the flowop's name if several have its kind, otherwise by its kind."""
    lines = [result for result in results if result["type"] == "result" and result["test"] != "wml"]
    return {result.get("params", {"flowop": result["test"]})["flowop"]: result for result in lines}
