"""How Chromium is started, and the two windows that pages are looked at in."""

from __future__ import annotations

# The last of two such switches holds: Playwright's own, as far as they change what is seen here, and the address bar's
# two pages of script, which Chromium makes ready for every new window while the page under test is loading.
WITHOUT = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"),
    *("MediaRouter", "PaintHolding", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    *("PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
ARGUMENTS = [
    "--no-sandbox",  # the tests may run as root
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
    "--use-angle=swiftshader",  # WebGL without a graphics card
    "--enable-unsafe-swiftshader",
]
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
