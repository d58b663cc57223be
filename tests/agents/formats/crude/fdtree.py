"""A second reader of fdtree's output: each line's value is the number at its end."""

from collections import Counter

from tests.agents.formats.crude.comparison import Found, value


def cells(text: str) -> Found:
    """Numbers of the output, without IN and OUT, the shell's clock times, whose difference is TOTAL."""
    counted: Found = Counter()
    for number, line in enumerate(text.split("\n"), start=1):
        word = line.split()[-1] if line.split() else ""
        if "TOTAL" in line:
            counted[number, "elapsed", value(word)] += 1
        elif "KiB per second" in line:
            counted[number, "throughput", value(word, 1024)] += 1
        elif "per second" in line:
            counted[number, "rate", value(word)] += 1
        elif "real" in line and "user" in line:
            for metric, time in zip(("elapsed", "user_time", "system_time"), line.split("real ")[1].split()[0:5:2]):
                minutes, seconds = time.rstrip("s").split("m")
                counted[number, metric, round(int(minutes) * 60 + float(seconds), 3)] += 1
            if "%" in line:
                counted[number, "cpu_of_one_core", float(word.strip("%")) / 100] += 1
    return counted
