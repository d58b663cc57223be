from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class WebConfig(AppConfig):
    """Registers the app `web`."""

    name = "benchdb.web"
    label = "web"


class OurAdminConfig(AdminConfig):
    """Django's admin with a site of our own."""

    default_site = "benchdb.web.admin.site.Site"
    default = False
