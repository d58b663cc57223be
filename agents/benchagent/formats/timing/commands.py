"""Reads the commands in the lines of a terminal session, and determines their tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A prompt that ends in a sign: `# `, `$ `, `root@host:~# `, `[root@host ~]# `, `host% `; or the plus of `set -x`.
_PROMPT = re.compile(
    r"(?P<prompt>(?:\[[^\]]{1,80}\]|\([^)]{1,40}\)|[\w.@:~/+-]{1,80})?(?: [\w~/.-]{1,80})? ?)[#$%>] (?P<body>\S.*)"
    r"|\++ (?P<trace>\S.*)"
)
_TIMED = re.compile(
    r"(?:.{0,500}(?:[;&|({]|(?P<loop>\bdo ))\s*)?(?:sudo +)?(?:[\w./-]{0,80}/)?time +"
    r"(?:-[pvalh]+ +|-[of] +\S+ +|--verbose +|--portability +)*(?P<command>\S.*)"
)
_LOOP = re.compile(r"(?:for|while|until)\b[^;]{1,200};\s*do\s")
_DONE = re.compile(r"\s*;\s*done\b.*")
_PROGRAM = re.compile(r"(?:[\w.+-]{0,80}/){0,20}(?P<name>[A-Za-z_][\w.+-]{0,80})")
_PIECES = re.compile(r"&&|\|\||[;|&(){}'\"]|\b(?:do|done|then|else|fi)\b")
_VARIABLE = re.compile(r"\w+=")
# Output of these programs.
_OUTPUT = re.compile(r"(?:mke2fs|e2fsck|fsck[\w.]*|mkfs[\w.]*)(?: from util-linux)? [0-9]|[\w.]+: ")
# Words in front of a program, and programs beside the timed one.
_BEFORE = {"sudo", "nice", "ionice", "nohup", "exec", "env", "command", "numactl", "taskset", "stdbuf", "chrt"}
_BESIDE = {"sync", "cd", "pushd", "popd", "echo", "wait", "sleep", "true", "for", "while", "if", "seq", "export", "set"}
_SHELLS = {"sh", "bash", "dash", "ksh", "zsh"}
_KNOWN = {"rm", "dd", "cp", "mv", "tar", "mount", "umount", "sync", "find", "touch", "mkdir", "btrfs", "rsync"} | {
    "make"
}


@dataclass(frozen=True)
class TimedCommand:
    """A command. `timed`: its line shows that it is timed; `again`: in each round of a loop.

    `prompt` is the text before the sign of its prompt. An unknown program that is not timed may be a script that times
    others.
    """

    text: str
    line: int
    timed: bool
    again: bool = False
    prompt: str = ""

    @property
    def prepares(self) -> bool:
        """Whether the command makes or mounts a file system, and so is a setting of commands that follow."""
        return any(_is_mkfs(name) or name == "mount" for name in _programs(self.text))

    @property
    def is_known(self) -> bool:
        """Whether times behind it are its own."""
        return self.timed or self.again or is_known(self.text)

    def prints(self, line: str) -> bool:
        """Whether a line is a message of the command, such as `rm: cannot remove 'x'`."""
        return any(f"{name}: " in line[:200] for name in _programs(self.text))


def read_command(line: str, number: int) -> TimedCommand | None:
    """The command in a line of a session; None for a program's output, a person's comment and other prose."""
    if len(line) > 2000:
        return None
    prompt = _PROMPT.fullmatch(line.strip())
    body = (prompt["body"] or prompt["trace"]) if prompt else line.strip()
    before = (prompt["prompt"] or "").strip() if prompt else ""
    timed = _TIMED.fullmatch(body)
    if timed and (is_known(_LOOP.sub("", timed["command"], count=1)) or (prompt and _PROGRAM.match(timed["command"]))):
        again = timed["loop"] is not None
        text = _DONE.sub("", timed["command"]) if again else timed["command"]
        return TimedCommand(text, number, timed=True, again=again, prompt=before)
    # Behind a bare # may be a person's comment, behind > and % a quotation.
    at_prompt = prompt is not None and _PROGRAM.match(body) and ("@" in before or line.strip().startswith("$ "))
    if (is_known(body) or at_prompt) and not _OUTPUT.match(body):
        return TimedCommand(body, number, timed=False, prompt=before)
    return None


def is_known(command: str) -> bool:
    """Whether this module knows the program, so that a line with it is not prose."""
    name = next(_programs(command), "")
    return name in _KNOWN or _is_mkfs(name) or _is_fsck(name)


def test_of(command: str | None, printed: str) -> str:
    """The test of a command: mkfs, fsck…, create or delete for known programs, else the program's own name.

    `printed` is the command's output, which shows a check that had nothing to do. Without a command, `command`.
    """
    programs = list(_programs(command or ""))
    names = list(dict.fromkeys(name for name in programs if name not in _BESIDE)) or programs[:1]
    if command is None or len(names) != 1:
        return "command"
    name = names[0]
    if _is_mkfs(name):
        return "mkfs"
    if _is_fsck(name):
        return _check(command, printed)
    if name in ("rm", "unlink") or (name == "find" and " -delete" in command):
        return "delete"
    return _copy(command) if name == "dd" else re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "command"


def _is_mkfs(name: str) -> bool:
    return name in ("mke2fs", "newfs", "mkreiserfs") or name.startswith(("mkfs.", "newfs_")) or name == "mkfs"


def _is_fsck(name: str) -> bool:
    return name in ("fsck", "e2fsck", "xfs_repair", "reiserfsck", "jfs_fsck") or name.startswith(("fsck.", "fsck_"))


def _check(command: str, printed: str) -> str:
    """The test of a check: e2fsck makes a full one with -f, xfs_repair always; otherwise the output decides."""
    if "xfs_repair" in command:
        return "fsck" if " -n" in command else "fsck_forced"
    if re.search(r" -[a-zA-Z]*f", command):
        return "fsck_forced"
    if "recovering journal" in printed or "was not cleanly unmounted" in printed:
        return "fsck_dirty"
    return "fsck_clean" if ": clean," in printed else "fsck"


def _copy(command: str) -> str:
    """The test of dd: into a file it creates the file, from a device it reads the device."""
    target, source = re.search(r"\bof=(\S+)", command), re.search(r"\bif=(\S+)", command)
    if target and not target[1].startswith("/dev/") and "notrunc" not in command:
        return "create"
    return "raw_read" if source and source[1].startswith("/dev/") and target and target[1] == "/dev/null" else "dd"


def _programs(command: str) -> Iterator[str]:
    """The names of the programs in a command line, as far as its words show them."""
    for piece in _PIECES.split(command[:2000]):
        words = piece.split()
        while words and (words[0] in _BEFORE or words[0].startswith("-") or _VARIABLE.match(words[0])):
            words.pop(0)
        if words and words[0] in _SHELLS and "-c" in words:
            words = words[words.index("-c") + 1 :]
        program = _PROGRAM.fullmatch(words[0]) if words else None
        if program:
            yield program["name"]
