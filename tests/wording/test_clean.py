"""Text of users in pictures and printed files, and the words for parameters."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.exports import tasks
from benchdb.wording.clean import clean
from benchdb.wording.words import command_line, params_in_words, settings_in_words
from tests.support.documents import document
from tests.support.store import store_run

UNSEEN = "\xad\u200b\u2060\u2064\ufeff\ufffb\U000e0061"


def test_invisible_characters_are_left_out_and_hiding_ones_shown() -> None:
    assert clean(f"{UNSEEN}a{UNSEEN}b\tc\u061cd\u202ee\x1b") == "ab c\ufffdd\ufffde\ufffd"
    assert clean("\u0646\u200c\u0645") == "\u0646\u200c\u0645"


def test_a_pdf_may_have_them(owner: User, client: Client) -> None:
    one = store_run(owner, document(visibility="public", labels={"k": f"x{UNSEEN}"}))
    two = store_run(owner, document(visibility="public", labels={"k": "b"}, file_system="xfs"))
    address = f"/compare/table.pdf?run={one.pk}&run={two.pk}&rows=label:k"
    client.get(address)
    tasks.make()

    assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("directories=10,files=10000", "10 directories, 10\u202f000 files"),
        ("files=1", "1 file"),
        ("rate=20000,arrivals=poisson", "rate 20000/s, arrivals poisson"),
        ("fsync=true,random=false", "fsync, no random"),
        ("view=min", "view min"),
        ("file_size=65536", "file size 64 KiB"),
        ("file_size=65537", "file size 65537"),
        ("sizes=[1,2],view=a,b", "sizes [1,2], view a,b"),
        ("no setting", "no setting"),
    ],
)
def test_settings_are_said_as_people_say_them(settings: str, words: str) -> None:
    assert settings_in_words(settings) == words


def test_commands_of_an_article_stand_one_a_line_as_a_shell_takes_them() -> None:
    assert command_line(["iozone", "-f", "a b", ";", "iozone", "-r", "4M"]) == "iozone -f 'a b'\niozone -r 4M"


def test_several_sizes_are_parted() -> None:
    assert params_in_words({"rate": 20000, "depth": 8}) == ["rate 20000/s", "depth 8"]
    assert params_in_words({"record_sizes": [1048576, 4194304]}) == ["record sizes 1 MiB · 4 MiB"]
    assert params_in_words({"mkfs_options": ["-E", "lazy_itable_init=0"], "mount_options": []}) == [
        "mkfs options -E lazy_itable_init=0"
    ]
