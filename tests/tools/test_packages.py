"""The source of iozone3: a source file derived from the machine's existing ones."""

import pytest

from tools.packages import component_source

DEBIAN = """\
Types: deb deb-src
# a comment inside the stanza
URIs: https://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: https://mirror.example/debian-security
Suites: bookworm-security
Components: main
"""
INLINE_KEY = """\
Types: deb
URIs: https://mirror.example/debian
Suites: bookworm
Components: main contrib
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mDMEY865UxYJKwYBBAHaRw8BAQdAd7Z0srwuhlB6JKFkcf4HU4SSS/xcRfwEQWzr
 -----END PGP PUBLIC KEY BLOCK-----
"""
OTHER = "Types: deb\nURIs: https://nodes.example/\nSuites: nodistro\nComponents: main\n"


def test_the_addresses_and_the_key_of_main_are_taken() -> None:
    assert component_source([OTHER, DEBIAN], "bookworm", "non-free") == (
        "Types: deb\n"
        "URIs: https://mirror.example/debian\n"
        "Suites: bookworm\n"
        "Components: non-free\n"
        "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
    )


def test_a_key_of_several_lines_is_kept() -> None:
    made = component_source([INLINE_KEY], "bookworm", "non-free")
    assert made.startswith("Types: deb\nURIs: https://mirror.example/debian\nSuites: bookworm\nComponents: non-free\n")
    assert made.endswith(INLINE_KEY[INLINE_KEY.index("Signed-By") :])


@pytest.mark.parametrize(
    ("line", "signed"),
    [
        ("deb https://mirror.example/ubuntu noble main universe # comment", ""),
        ("deb [arch=amd64 signed-by=/key.gpg] https://mirror.example/ubuntu noble main", "Signed-By: /key.gpg\n"),
    ],
)
def test_a_one_line_source_is_read(line: str, signed: str) -> None:
    assert component_source([f"# deb-src https://x/ noble main\n{line}\n"], "noble", "multiverse") == (
        f"Types: deb\nURIs: https://mirror.example/ubuntu\nSuites: noble\nComponents: multiverse\n{signed}"
    )


@pytest.mark.parametrize("text", ["", OTHER, "deb-src https://mirror.example/debian bookworm main\n"])
def test_without_main_of_this_release_nothing_is_made(text: str) -> None:
    assert component_source([text], "bookworm", "non-free") == ""
    assert component_source([text, DEBIAN], "trixie", "non-free") == ""
