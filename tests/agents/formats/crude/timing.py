"""A second reader of `time`: the lines real, user and sys, by their words."""

METRICS = {"real": "elapsed", "user": "user_time", "sys": "system_time"}


def figures(text: str) -> dict[int, tuple[str, float]]:
    """line → (metric, seconds); zeros too."""
    by_line = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if len(words) == 2 and words[0] in METRICS and words[1][0].isdigit():
            minutes, _, seconds = words[1].rstrip("s").rpartition("m")
            by_line[number] = (METRICS[words[0]], round(int(minutes or 0) * 60 + float(seconds), 3))
    return by_line
