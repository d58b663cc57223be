"""Django's admin in our colours: accessible in light and dark, no wider than a phone, without blocked content."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from benchdb.audit.models import Action, AuditEntry, ObjectKind, Via
from benchdb.audit.services import Acted, Actor, record
from tests.browser import walls
from tests.browser.pages import Case
from tests.browser.support.launching import NARROW
from tests.browser.support.serving import serving, session_of
from tests.browser.support.visits import Filled, say, visit
from tests.support.store import make_user, store_run

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]

CASES = (
    Case("index", "", "/admin/", "root"),
    Case("accounts", "", "/admin/auth/user/", "root"),
    Case("account", "", "/admin/auth/user/{root}/change/", "root"),
    Case("new account", "", "/admin/auth/user/add/", "root"),
    Case("audit trail", "", "/admin/audit/auditentry/", "root"),
    Case("audit entry", "", "/admin/audit/auditentry/{entry}/change/", "root"),
    Case("quotas", "", "/admin/quotas/ownquota/", "root"),
    Case("new quota", "", "/admin/quotas/ownquota/add/", "root"),
    Case("tokens", "", "/admin/ingest/token/", "root"),
    Case("runs", "", "/admin/runs/runstate/", "root"),
    Case("run", "", "/admin/runs/runstate/{run}/change/", "root"),
    Case("machines", "", "/admin/catalog/machine/", "root"),
    Case("articles", "", "/admin/publications/publication/", "root"),
)


def _fill() -> dict[str, str]:
    root = make_user("root", is_staff=True, is_superuser=True)
    run = store_run(make_user("ada"))
    of_run = Acted(ObjectKind.RUN, str(run.pk), str(run))
    by = Actor(root.pk, "root", Via.ADMIN, "2001:db8:85a3::/64")
    record(by, Action.WITHDRAW, of_run, reason="the disk was failing, as its kernel messages show", detail="Withdrawn")
    return {"run": str(run.pk), "root": str(root.pk), "entry": str(AuditEntry.objects.get().pk)}


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[Filled]:
    with serving(django_db_blocker, _fill) as (address, stored):
        yield Filled(address, stored, {"root": session_of("root", address)})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_page_of_the_admin_keeps_to_the_walls(case: Case, filled: Filled, browser: Browser) -> None:
    loaded = visit(browser, filled, case)
    page = loaded.page
    faults = {"light": walls.violations(page), "keyboard": walls.keyboard_faults(page)}
    page.emulate_media(color_scheme="dark")
    faults["dark"] = walls.violations(page, walls.COLOURS)
    faults["1440 px"] = walls.overflowing(page)
    page.set_viewport_size(NARROW)
    faults["360 px"] = walls.overflowing(page)
    expect(page.locator("h1")).to_have_count(1)
    faults["loading"] = loaded.faults(filled.of(case))
    page.context.close()
    say(faults)
