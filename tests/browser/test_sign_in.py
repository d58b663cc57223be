"""Sign-in by a real OpenID provider, in a real browser."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.support.provider import LABEL, free_port, provider, settings_of
from tests.browser.support.serving import serving
from tests.plugins.missing import require

pytestmark = [pytest.mark.needs("chromium", package="chromium-headless-shell"), pytest.mark.django_db]


@dataclass(frozen=True)
class SignInSite:
    """A site, and the port of its provider, which each test starts."""

    address: str
    port: int


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: Any) -> Iterator[SignInSite]:
    port = free_port()
    with serving(django_db_blocker, _stored, **settings_of(port)) as (address, _):
        yield SignInSite(address, port)


def _stored() -> dict[str, str]:
    User.objects.create_user("ada", password="correct-horse-9")
    return {}


def without_fonts(page: Page) -> None:
    """The provider's pages take fonts from another host."""
    page.route(lambda address: "//fonts." in address, lambda route: route.fulfill(body=""))


def go_there(page: Page, site: SignInSite, next_page: str = "/account/") -> None:
    """From the sign-in page to the provider."""
    without_fonts(page)
    page.goto(f"{site.address}/login/?next={next_page}")
    page.get_by_role("link", name=f"Continue with {LABEL}").click()


def prove(page: Page, login: str) -> None:
    """Sign in at the provider and allow it to pass that on."""
    page.locator("[name=login]").fill(login)
    page.locator("[name=password]").fill("anything")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_somebody_new_signs_in_and_out(site: SignInSite, open_page: OpenPage) -> None:
    with provider(site.port, site.address), open_page() as page:
        go_there(page, site)
        prove(page, "grace hopper")
        page.wait_for_url(f"{site.address}/account/")
        expect(page.get_by_role("heading", level=1)).to_have_text("grace-hopper")
        expect(page.get_by_text(f"{LABEL} signs you in")).to_be_visible()
        expect(page.get_by_role("link", name="Change the password")).to_have_count(0)

        page.get_by_role("button", name="grace-hopper").click()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{site.address}/logout/done/")
        page.get_by_role("link", name=f"Sign out at {LABEL}").click()
        page.get_by_role("button", name="Yes, sign me out").click()
        page.wait_for_url(f"{site.address}/login/**")

        go_there(page, site, "//evil.example/")  # the provider asks again, and leads to no other site
        prove(page, "grace hopper")
        page.wait_for_url(f"{site.address}/runs/")
        page.goto(f"{site.address}/account/")
        expect(page.get_by_role("heading", level=1)).to_have_text("grace-hopper")


def test_an_account_is_joined_by_its_owner_only(site: SignInSite, open_page: OpenPage) -> None:
    with provider(site.port, site.address):
        with open_page() as page:  # the same name at the provider is not the same person
            go_there(page, site)
            prove(page, "ada")
            expect(page.get_by_role("heading", level=1)).to_have_text("ada-2")
        with open_page() as page:
            without_fonts(page)
            page.goto(f"{site.address}/login/?next=/account/")
            page.get_by_label("User name").fill("ada")
            page.get_by_label("Password", exact=True).fill("correct-horse-9")
            page.get_by_role("button", name="Sign in").click()
            page.get_by_role("button", name=f"Connect with {LABEL}").click()
            prove(page, "lovelace")
            page.wait_for_url(f"{site.address}/account/")
            expect(page.get_by_role("status")).to_have_text(f"{LABEL} now signs you in to this account.")
        with open_page() as page:
            go_there(page, site)
            prove(page, "lovelace")
            expect(page.get_by_role("heading", level=1)).to_have_text("ada")


def test_refusing_at_the_provider_signs_nobody_in(site: SignInSite, open_page: OpenPage) -> None:
    with provider(site.port, site.address), open_page(refused=403) as page:
        go_there(page, site)
        page.get_by_role("link", name="Cancel").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{LABEL} did not sign you in")
        expect(page.get_by_role("navigation").get_by_role("link", name="account")).to_have_count(0)


def test_an_answer_counts_once_and_in_its_browser_only(site: SignInSite, open_page: OpenPage) -> None:
    with provider(site.port, site.address):
        with open_page() as page:
            answers: list[str] = []
            page.on("request", lambda request: answers.append(request.url) if "/callback/" in request.url else None)
            go_there(page, site)
            prove(page, "hedy")
            page.wait_for_url(f"{site.address}/account/")
        with open_page(refused=400) as page:
            page.goto(answers[0])
            expect(page.get_by_role("heading", level=1)).to_have_text("This sign-in is not valid any more")


def test_a_provider_that_is_down_is_said_to_be_so(site: SignInSite, open_page: OpenPage) -> None:
    cache.delete(f"oidc:{settings.OIDC_ISSUER}")  # what it said about itself is kept for five minutes
    with open_page(refused=503) as page:
        go_there(page, site)
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{LABEL} does not answer")


def test_a_provider_with_a_wrong_clock_is_not_believed(site: SignInSite, open_page: OpenPage) -> None:
    require("faketime", package="faketime")
    with provider(site.port, site.address, ["faketime", "-f", "+2h"]), open_page(refused=502) as page:
        go_there(page, site)
        prove(page, "grace hopper")
        expect(page.get_by_role("heading", level=1)).to_have_text(f"The answer of {LABEL} was not accepted")
