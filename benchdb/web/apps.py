from django.apps import AppConfig


class WebConfig(AppConfig):
    """Registers the app `web`."""

    name = "benchdb.web"
    label = "web"
