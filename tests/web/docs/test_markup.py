"""Markdown as the markup of our pages."""

import pytest

from benchdb.web.docs.library import Heading, rendered
from tests.support.html import parse
from tests.texts import missing_in

BEGINNING = "# A title\n\n"


def body(text: str, name: str = "page") -> str:
    return str(rendered(BEGINNING + text, name).body)


def test_the_title_is_no_part_of_the_body() -> None:
    page = rendered("# The `title`\n\nA *first*\nparagraph.\n\n## Part `one`\n\n### Below\n\n#### Deep\n", "page")

    assert (page.title, page.summary) == ("The title", "A first paragraph.")
    assert "<h1" not in page.body
    assert page.contents == [Heading(2, "part-one", "Part one"), Heading(3, "below", "Below")]
    assert '<h4 id="deep">' in page.body


def test_a_long_first_paragraph_is_cut_between_words() -> None:
    summary = rendered(f"{BEGINNING}{'word ' * 100}", "page").summary

    assert summary.endswith("word …")
    assert len(summary) <= 302


def test_headings_with_the_same_words_have_different_anchors() -> None:
    page = rendered(f"{BEGINNING}## Again\n\n## Again\n", "page")

    assert [heading.anchor for heading in page.contents] == ["again", "again-1"]


def test_html_is_dropped_and_text_is_escaped() -> None:
    html = body(
        'before\n\n<!-- skip: next "a disk" -->\n\n`<b>` & <script>alert(1)</script> after\n\n<p onclick="x">\n'
    )

    assert "skip" not in html
    assert "<code>&lt;b&gt;</code> &amp; alert(1) after" in html
    assert missing_in(html, "<script", "onclick") == ["<script", "onclick"]


def test_a_block_of_commands_has_a_copy_button() -> None:
    html = body("```sh\nprintf '<%s>' 1\n```\n")

    [code] = [attributes for tag, attributes in parse(html).elements if tag == "code"]
    [button] = [attributes for tag, attributes in parse(html).elements if tag == "button"]
    assert button["data-copy"] == code["id"]
    assert "printf &#x27;&lt;%s&gt;&#x27; 1</code>" in html


def test_a_session_has_none() -> None:
    assert "<button" not in body("```console\n$ true\n```\n")


def test_two_blocks_have_different_ids() -> None:
    html = body("```sh\ntrue\n```\n\n```sh\nfalse\n```\n")

    assert len({attributes["id"] for tag, attributes in parse(html).elements if tag == "code"}) == 2


def test_a_table_scrolls_and_has_no_style_and_no_empty_head() -> None:
    html = body("| name | | MiB/s |\n|---|---|---:|\n| a | b | 1 |\n")

    assert not missing_in(
        html,
        '<div class="scroll" tabindex="0"',
        '<th scope="col">name</th>',
        '<th scope="col" class="number">MiB/s</th>',
        '<td class="number">1</td>',
    )
    assert html.count("<th ") == 2
    assert "style=" not in html


@pytest.mark.parametrize(
    ("name", "link", "address"),
    [
        ("tutorial", "guard.md", "/docs/guard/"),
        ("tutorial", "howto/backup.md#restore", "/docs/howto/backup/#restore"),
        ("howto/backup", "../operations.md#backup", "/docs/operations/#backup"),
        ("howto/backup", "raid-chunk.md", "/docs/howto/raid-chunk/"),
        ("howto/backup", "../README.md", "/docs/"),
        ("", "tutorial.md", "/docs/tutorial/"),
        ("tutorial", "#share", "#share"),
        ("tutorial", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_a_link_to_a_file_leads_to_its_page(name: str, link: str, address: str) -> None:
    assert f'<a href="{address}">words</a>' in body(f"[words]({link})", name)


@pytest.mark.parametrize("link", ["../README.md", "../agents/engine/README.md", "nothing.md", "pictures/x.png"])
def test_a_link_to_a_file_without_a_page_is_text(link: str) -> None:
    assert "<p>see words here</p>" in body(f"see [words]({link}) here")


def test_a_picture_is_a_static_file() -> None:
    html = body("![A table](../pictures/comparison.png)", "howto/backup")

    [(_, attributes)] = [element for element in parse(html).elements if element[0] == "img"]
    assert attributes == {"src": "/static/docs/comparison.png", "alt": "A table"}
