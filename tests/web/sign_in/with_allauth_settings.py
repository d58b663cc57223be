"""A site of ours with django-allauth, for `with_allauth.py`: docs/why-own-accounts.md."""

from benchdb.settings import *  # noqa: F403
from benchdb.settings import INSTALLED_APPS, MIDDLEWARE

PARTS = ("account", "socialaccount", "socialaccount.providers.openid_connect", "mfa")
INSTALLED_APPS = [*INSTALLED_APPS, "allauth", *(f"allauth.{part}" for part in PARTS)]
MIDDLEWARE = [*MIDDLEWARE, "allauth.account.middleware.AccountMiddleware"]
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ROOT_URLCONF = "tests.web.sign_in.with_allauth"
SOCIALACCOUNT_LOGIN_ON_GET = True
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_PREVENT_ENUMERATION = "strict"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
