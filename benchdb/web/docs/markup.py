"""Markdown as the HTML of our pages: commands with a copy button, tables that scroll, no inline styles, no raw HTML."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from mdit_py_plugins.anchors import anchors_plugin

DEEPEST = 4  # level of headings with an anchor
# Blocks that a reader pastes. A `console` block shows a session with its output, which nobody pastes.
PASTED = {"sh", "python", "toml", "ini", "yaml", "nginx", "html", "latex", "bibtex", "json"}
_BLOCK = '<div class="command"><pre tabindex="0" role="group" aria-label="{}"><code id="{}">{}</code></pre>{}</div>\n'
_COPY = '<button class="copy with-js" type="button" data-copy="{}">Copy</button>'


class Renderer(RendererHTML):
    """The rules in which our markup differs from the library's; their names are those of token types."""

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """A block of code, which scrolls inside itself."""
        token = tokens[idx]
        language, anchor = token.info.partition(" ")[0], f"code-{idx}"
        copy = format_html(_COPY, anchor) if language in PASTED else ""
        label = "Commands" if language in ("sh", "console") else "Example"
        return format_html(_BLOCK, label, anchor, token.content.rstrip("\n"), copy)

    def html_block(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Nothing: these are comments for the tests."""
        return ""

    html_inline = html_block

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """A table in a box that scrolls."""
        return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table class="data wide">\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The end of a table and its box."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The head of a column; one without words is an ordinary cell."""
        return f'<th scope="col"{_alignment(tokens[idx])}>' if tokens[idx + 1].content else "<td>"

    def th_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The end of the head."""
        return "</th>" if tokens[idx - 1].content else "</td>"

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """A cell."""
        return f"<td{_alignment(tokens[idx])}>"


def _alignment(token: Token) -> str:
    """The alignment of a cell as a class, because the policy of our pages forbids the library's inline style."""
    return ' class="number"' if "right" in str(token.attrs.get("style", "")) else ""


# The parser must recognize HTML, so that the renderer can drop it.
markdown = MarkdownIt("commonmark", renderer_cls=Renderer).enable("table").use(anchors_plugin, max_level=DEEPEST)
