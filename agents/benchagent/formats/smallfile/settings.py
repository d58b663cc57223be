"""smallfile's settings, as its text and its JSON name them, and the tests of its operations."""

from __future__ import annotations

from benchagent.formats.model import Param
from benchagent.formats.reading.places import directory, joined

# smallfile's `mkdir` and `rmdir` are fsload's tests of the same work.
_TESTS = {"mkdir": "directory_create", "rmdir": "directory_remove", "ls-l": "list"}
# Names of the text, of JSON, and of params.
_COUNTS = {
    "files/thread": "files",
    "files_per_thread": "files",
    "files per dir": "files_per_directory",
    "files_per_dir": "files_per_directory",
    "dirs per dir": "directories_per_directory",
    "dirs_per_dir": "directories_per_directory",
    "total hosts": "hosts",
    "total_hosts": "hosts",
}
_FLAGS = {
    "threads share directories?": "shared_directories",
    "share_dir": "shared_directories",
    "fsync after modify?": "fsync",
    "fsync_after_modify": "fsync",
    "hash file number into dir.?": "hashed",
    "hash_to_dir": "hashed",
    "incompressible?": "incompressible",
}
_RECORD = ("record size (KB, 0 = maximum)", "record_size")
_FILE = ("file size (KB)", "file_size")
_DISTRIBUTION = ("file size distribution", "file_size_distr")
_PLACE = ("top test directory(s)", "top")
_KIB = 1024


class SmallfileSettings:
    """The settings of one run. Sizes are KiB in smallfile, by its source."""

    def __init__(self) -> None:
        self.test = ""
        self.facts: dict[str, Param] = {}
        self._sizes: dict[str, int] = {}
        self._fixed = True
        self.threads: int | None = None
        self.place = ""

    @property
    def file_size(self) -> int | None:
        return self._sizes.get("file") if self._fixed else None

    @property
    def record_size(self) -> int | None:
        return self._sizes.get("record")

    def take(self, name: str, value: str) -> None:
        """Keep one setting if it changes the work."""
        if name == "operation":
            self.test = _TESTS.get(value, value.replace("-", "_"))
        elif name in _PLACE:
            self.place = joined(map(directory, value.strip("[]").replace("'", "").split(", ")))
        elif name in _DISTRIBUTION and value not in ("fixed", "-1"):
            self._fixed = False
            self.facts["file_size_distribution"] = value
        elif name in _FLAGS and value.upper() == "Y":
            self.facts[_FLAGS[name]] = True
        elif value.isascii() and value.isdigit() and len(value) < 16:
            self._count(name, int(value))

    def _count(self, name: str, value: int) -> None:
        if name == "threads":
            self.threads = self.threads or value or None
        elif name in _COUNTS:
            if name.startswith("total") and value < 2:
                return
            self.facts[_COUNTS[name]] = value
        elif value and name in _RECORD:
            self._sizes["record"] = value * _KIB
        elif value and name in _FILE:
            self._sizes["file"] = value * _KIB
