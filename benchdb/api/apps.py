from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Registers the app `api`."""

    name = "benchdb.api"
    label = "api"

    def ready(self) -> None:
        """Refuse to start with a rate limit that cannot be read."""
        from .throttle import rate

        rate()
