"""A page's fields are the names that its template shows."""

from dataclasses import dataclass

from django.test import RequestFactory

from benchdb.http.rendering import as_context, render_page


@dataclass(frozen=True, slots=True)
class _Heading:
    text: str


@dataclass(frozen=True, slots=True)
class _Page:
    code: int
    heading: _Heading


def test_the_context_has_every_field_and_the_values_as_they_are() -> None:
    heading = _Heading("A")

    assert as_context(_Page(3, heading)) == {"code": 3, "heading": heading}


@dataclass(frozen=True, slots=True)
class _Refusal:
    status: int
    message: str
    why: str
    sign_in: str | None = None


def test_the_template_shows_them(rf: RequestFactory) -> None:
    answer = render_page(
        rf.get("/"), "web/error.html", _Refusal(410, "It is gone", "Its owner deleted it."), status=410
    )

    text = answer.content.decode()
    assert (answer.status_code, "It is gone" in text, "Its owner deleted it." in text) == (410, True, True)
