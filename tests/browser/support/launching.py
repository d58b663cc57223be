"""The arguments of Chromium, and the two window sizes of the tests."""

# Chromium uses only the last of two such switches, so this one repeats Playwright's features that matter here. It adds
# the two script pages of the address bar, which Chromium prepares for each new window while the tested page is loading.
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
    # Without a graphics card WebGL needs the emulated one, but drawing pages with it is slower.
    "--disable-gpu-compositing",
]
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
