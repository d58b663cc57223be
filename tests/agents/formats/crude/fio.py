"""A second reader of fio's JSON, by lines and indentation: one number per line, each block under its name."""

import re

LINE = re.compile(r'( *)"([^"]*)" : (.*?),?$')
DIRECTIONS = ("read", "write", "trim", "sync", "mixed")
STATISTICS = ("min", "max", "mean", "stddev")
PLAIN = {"iops": 1, "runtime": 1e-3, "bw_min": 1024, "bw_max": 1024, "bw_mean": 1024, "bw_dev": 1024}
PLAIN |= {"iops_min": 1, "iops_max": 1, "iops_mean": 1, "iops_stddev": 1}


def blocks(text: str) -> list[tuple[list[str], dict[str, tuple[int, str]]]]:
    """Each block of the JSON: the names of the blocks around it, and (line, printed number) by key."""
    closed: list[tuple[list[str], dict[str, tuple[int, str]]]] = []
    open_blocks: list[tuple[int, list[str], dict[str, tuple[int, str]]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() == "{":  # a job of the list, or the whole
            open_blocks = [block for block in open_blocks if block[0] < indent] + [(indent, ["job"], {})]
            closed.append((["job"], open_blocks[-1][2]))
        elif match := LINE.match(line):
            open_blocks = [block for block in open_blocks if block[0] < indent]
            if match[3] == "{":
                names = [*(open_blocks[-1][1] if open_blocks else []), match[2]]
                open_blocks.append((indent, names, {}))
                closed.append((names, open_blocks[-1][2]))
            elif open_blocks and re.fullmatch(r"[0-9.]+", match[3]):
                open_blocks[-1][2][match[2]] = (number, match[3])
    return closed


def figures(text: str) -> dict[int, float]:
    """line → number in base units, for every measurement except zeros."""
    by_line: dict[int, float] = {}
    runtime = 0.0
    for names, numbers in blocks(text):
        name = names[-1]
        factors: dict[str, float] = {}
        if name == "job":
            runtime = 0.0
            factors = {"usr_cpu": 0.01, "sys_cpu": 0.01}
        elif name in DIRECTIONS:
            factors = {**PLAIN, "bw_bytes" if "bw_bytes" in numbers else "bw": 1 if "bw_bytes" in numbers else 1024}
        elif names[-2:-1] and names[-2] in DIRECTIONS and name.startswith(("slat", "clat", "lat")):
            factors = dict.fromkeys(STATISTICS, 1e-9 if name.endswith("_ns") else 1e-6)
        elif name == "percentile" and len(names) > 2 and names[-3] in DIRECTIONS:
            factors = dict.fromkeys((key for key in numbers if float(key)), 1e-9 if names[-2].endswith("_ns") else 1e-6)
        if name in DIRECTIONS and "runtime" in numbers:
            runtime = max(runtime, float(numbers["runtime"][1]))
        if name == "steadystate" and numbers.get("attained", (0, "0"))[1] == "1":
            by_line[numbers["attained"][0]] = runtime / 1000
        for key, factor in factors.items():
            if key in numbers and float(numbers[key][1]):
                by_line[numbers[key][0]] = float(numbers[key][1]) * factor
    return by_line
