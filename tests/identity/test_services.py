"""What counts as a mail address, and the one confirmed address of an account."""

from functools import partial

import pytest
from django.contrib.auth.models import User

from benchdb.identity.services import confirm_address, is_mail_address
from tests.support.store import make_user
from tests.support.threads import at_once

ELSEWHERE = ["ada@[10.0.0.1]", "ada@10.0.0.10", "ada@localhost", "a.b@localhost", "a%b@example.org", "a!b@example.org"]
ELSEWHERE += [f"a@{'b.' * 124}example.org"]  # longer than accounts can have


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_address_leads_a_mail_server_elsewhere(address: str) -> None:
    assert not is_mail_address(address)


def test_usual_addresses_are_taken() -> None:
    assert is_mail_address("ada.b+lab@mail-2.example.org")


@pytest.mark.django_db(transaction=True)
def test_of_two_addresses_confirmed_at_once_one_stays() -> None:
    user = make_user("ada", email="a@example.org")
    for attempt in range(15):
        addresses = [f"{name}{attempt}@example.org" for name in "bc"]
        at_once([partial(confirm_address, User.objects.get(pk=user.pk), address) for address in addresses])
        user.refresh_from_db()
        assert list(user.identities.values_list("subject", flat=True)) == [user.email]
