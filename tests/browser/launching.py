"""How Chromium is started, and the two windows that pages are looked at in."""

from __future__ import annotations

ARGUMENTS = [
    "--no-sandbox",  # the tests may run as root
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
]
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
