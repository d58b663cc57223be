"""What counts as a mail address, and the one confirmed address of an account."""

from __future__ import annotations

import pytest

from benchdb.identity.services import is_mail_address

ELSEWHERE = ["ada@[10.0.0.1]", "ada@10.0.0.10", "ada@localhost", "a.b@localhost", "a%b@example.org", "a!b@example.org"]


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_address_leads_a_mail_server_elsewhere(address: str) -> None:
    assert not is_mail_address(address)


def test_usual_addresses_are_taken() -> None:
    assert is_mail_address("ada.b+lab@mail-2.example.org")
