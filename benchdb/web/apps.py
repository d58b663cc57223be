from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class WebConfig(AppConfig):
    """Registers the app `web`."""

    name = "benchdb.web"
    label = "web"


class OurAdminConfig(AdminConfig):
    """Django's admin with a site of our own."""

    # Outside the package `admin`: Django loads the site first, and that package registers models with it.
    default_site = "benchdb.web.admin_site.Site"
    default = False
