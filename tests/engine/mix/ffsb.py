"""FFSB profiles for tests: the article's, and small ones with single changes."""

from pathlib import Path

# The 4-thread profile of the article that compares large sequential writes, in the syntax of FFSB 5.1.
ARTICLE = """\
num_filesystems=1
num_threadgroups=1
directio=0
time=300

[filesystem0]
        location=/mnt/test/
        num_files=0
        num_dirs=0
        max_filesize=1073741824
        min_filesize=1073741824
[end0]

[threadgroup0]
        num_threads=4
        write_blocksize=65536
        create_weight=1
[end0]
"""

# All settings of a file system and a group, in the syntax of 6.0.
EVERYTHING = """\
# a comment
directio = 0
alignio\t= 1
verbose = 1
time = 7   # seconds

[filesystem]
\tlocation = /mnt/one
\tnum_files = 40
\tnum_dirs = 3
\tsize_weight 4k 3
\tsize_weight 8KB 2
\tsize_weight 1m 0
\tinit_size = 256kb
\tinit_util = 0.0
\tcreate_blocksize = 8k
\tage_blocksize = 4k
\treuse = 1
\tagefs = 0
\t[threadgroup]
\t\tnum_threads = 2
\t\twrite_blocksize = 1024
\t\twrite_size = 400
\t\tcreate_weight = 10
\t\tappend_weight = 10
\t\tdelete_weight = 1
\t[end]
\tdesired_util = 0.02
[end]

[filesystem]
\tlocation = /mnt/two
\tclone = /mnt/one
[end]

[threadgroup]
\tnum_threads = 2
\tread_weight = 1
\tread_size = 4k
\tread_blocksize = 1024
\tread_random = 1
\treadall_weight = 2
\twrite_weight = 1
\twrite_fsync_weight = 1
\twrite_size = 4K
\twrite_blocksize = 2k
\twrite_random = 0
\tcreate_weight = 3
\tcreate_fsync_weight = 1
\tappend_weight = 1
\tappend_fsync_weight = 1
\tdelete_weight = 2
\tmetaop_weight = 1
\tcreatedir_weight = 1
\tstat_weight = 1
\twriteall_weight = 1
\twriteall_fsync_weight = 1
\topen_close_weight = 1
\top_delay = 0
\t[stats]
\t\tenable_stats = 1
\t\tenable_range = 1
\t\tignore = close
\t\tmsec_range 0.00 0.01
\t\tmsec_range 0.01 10000.0
\t[end]
[end]

[threadgroup]
\tnum_threads = 1
\tbindfs = /mnt/two
\tread_weight = 1
\tread_size = 4k
\tread_blocksize = 1k
\tread_skip = 0
[end]
"""

KINDS = [
    *("read", "readall", "write", "create", "append", "delete", "metaop", "createdir", "stat", "writeall"),
    *("writeall_fsync", "open_close", "write_fsync", "create_fsync", "append_fsync"),
]


def profile(group: str, filesystem: str = "", start: str = "", threads: int = 2) -> str:
    """A profile of one file system with 20 files of 16 KiB and one group; the texts add lines or replace these."""
    lines = {"location": "/mnt/t", "num_files": "20", "num_dirs": "2", "min_filesize": "16k", "max_filesize": "16k"}
    lines |= dict(line.split("=") for line in filesystem.split())
    files = "\n".join(f"{key} = {value}" for key, value in lines.items())
    head = [start, "[filesystem]", files, "[end]", "[threadgroup]", f"num_threads = {threads}"]
    return "\n".join([*head, *group.split(), "[end]", ""])


def write(directory: Path, text: str) -> Path:
    path = directory / "a.prof"
    path.write_text(text)
    return path
