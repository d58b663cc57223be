"""A page with a fault on purpose: `faulty/NAME/` is the page of the documentation with the fault of this name."""

import secrets

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import path

from benchdb.web.docs.views import docs_page
from tests.browser.support.urls import handler400, handler403, handler404, handler500
from tests.browser.support.urls import urlpatterns as others

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

_ASKS = '<form action="/runs/"><label>Words <input name="q"></label>'
# By name: the markup, and what the walls say of it.
FAULTS = {
    "nothing": ("<p>Nothing is wrong.</p>", ""),
    "button by script": (f'{_ASKS}<button class="with-js">Go</button></form>', "without scripts: no button sends"),
    "idle button": ('<button type="button">Go</button>', "without scripts: a button that does nothing"),
    "dead link": ('<p><a href="#">Nowhere at all</a></p>', "without scripts: a link that leads nowhere"),
    "lost anchor": ('<p><a href="#not-there">Further down</a></p>', "without scripts: a link to what is not"),
    "shown to all": ('<p class="with-js shown">Drop files here.</p>', "without scripts: shown without scripts"),
    "too wide": ('<div class="wide">Wide</div>', "360 px: 1"),
    "wide without scripts": ('<div class="without-js wide">Wide</div>', "without scripts: 1"),
    "pale in the dark": ('<p class="pale">Hard to read</p>', "wide, dark: color-contrast"),
    "pale in the light": ('<p class="bright">Hard to read</p>', "wide, light: color-contrast"),
    "no label": ('<form action="/runs/"><input name="q"><button>Go</button></form>', "wide, light: label"),
    "no label on a phone": ('<p class="narrow"><button></button></p>', "360 px: button-name"),
    "no focus ring": ('<p><a class="ringless" href="/runs/">Runs of all</a></p>', "keyboard: the focus does not show"),
    "order of its own": ('<p><a tabindex="3" href="/runs/">Runs of all</a></p>', "keyboard: an order of its own"),
    "console": ('<script src="/faulty.js"></script>', "loading: console: on purpose"),
    "exception": ('<script src="/faulty.js?throw"></script>', "loading: script: on purpose"),
    "script in the page": ("<script>let it = 1</script>", "loading: console: .*Content Security Policy"),
    "other host": ('<script src="http://127.0.0.1:9/x.js"></script>', "loading: (console: .*127.0.0.1|from another)"),
    "not there": (
        '<img src="/nowhere.png" alt="Nothing" width="9" height="9">',
        "loading: 404|loading: console: .*404",
    ),
    "too much": ('<script type="application/json">"{random}"</script>', "budget: .*bytes compressed"),
    "too many": ("".join(f'<img src="/faulty.css?{n}" alt="">' for n in range(9)), "budget: .* requests"),
}
_CSS = """
.wide { width: 500px } .ringless:focus { outline: none } .narrow { display: none }
:root:root:root .shown { display: block } .bright { color: #ccc; background: #fff }
@media (prefers-color-scheme: dark) {
  .pale { color: #444; background: #222 } .bright { color: #fff; background: #222 }
}
@media (max-width: 400px) { .narrow { display: block } }
"""
_JS = "if (document.currentScript.src.endsWith('throw')) throw new Error('on purpose'); console.error('on purpose')"


def faulty(request: HttpRequest, name: str) -> HttpResponse:
    """The page with this fault."""
    answer = docs_page(request, "")
    markup = FAULTS[name][0].replace("{random}", secrets.token_hex(500_000))
    style = '<link rel="stylesheet" href="/faulty.css"></head>'
    return HttpResponse(answer.content.decode().replace("</head>", style).replace("</main>", f"{markup}</main>"))


def faulty_file(request: HttpRequest) -> HttpResponseBase:
    """The style sheet or script of faulty pages."""
    if request.path.endswith(".css"):
        return HttpResponse(_CSS, content_type="text/css")
    return HttpResponse(_JS, content_type="text/javascript")


urlpatterns = [
    *others,
    path("faulty/<str:name>/", faulty),
    path("faulty.css", faulty_file),
    path("faulty.js", faulty_file),
]
