"""Adds to results the contents of the files that a workload names; fsload prints only the name of an archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from benchagent.formats.model import Parsed

DIGITS = 8


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """The results with a part of the digest of the source tree's archive, or of the distributions of `age`.

    The profiles of `mix` and `wml` need none: fsload prints them.
    """
    digests = {
        key: str(value)[:DIGITS] for key, value in parameters.items() if key.endswith("_sha256") and key not in _PRINTED
    }
    names = {key: key[: -len("_sha256")] for key in digests}
    return replace(
        parsed,
        results=tuple(
            result._replace(params={**result.params, **added})
            if (added := {key: digest for key, digest in digests.items() if names[key] in result.params})
            else result
            for result in parsed.results
        ),
    )


_PRINTED = ("profile_sha256", "file_sha256")
