from __future__ import annotations

from django.contrib.admin.apps import SimpleAdminConfig


class OurAdminConfig(SimpleAdminConfig):
    """Django's admin with a site of our own; `benchdb.urls` loads what is registered with it."""

    # Outside the package `admin`: Django loads the site first, and that package registers models with it.
    default_site = "benchdb.web.admin_site.Site"
    default = False
