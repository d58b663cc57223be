"""Django settings. Installations differ only in environment variables, see `variables.py`."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from csp.constants import NONE, SELF, UNSAFE_INLINE
from django.core.management.utils import get_random_secret_key

from benchdb.connections import redis_urls
from benchdb.embedded import config as embedded

from . import logs, variables

_variables = variables.read()

BASE_DIR = variables.BASE_DIR
# The directory of the embedded services, logs, collected static files and the secret key.
VAR_DIR = _variables.var.resolve()

DEBUG = _variables.debug
ALLOWED_HOSTS = _variables.allowed_hosts.split(",")
CSRF_TRUSTED_ORIGINS = _variables.origins.split(",") if _variables.origins else []

# Behind a TLS proxy: its header X-Forwarded-Proto makes Django generate https addresses.
BEHIND_TLS = _variables.tls
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if BEHIND_TLS else 0
# HSTS for subdomains and preloading are decisions of the domain's owner.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# For pages that commands make, which have no request to take it from.
PUBLIC_ADDRESS = f"{'https' if BEHIND_TLS else 'http'}://{ALLOWED_HOSTS[0]}"


def _secret_key() -> str:
    """The key from the environment, or a generated one in var/ that only its owner can read."""
    if _variables.secret_key:
        return _variables.secret_key.get_secret_value()
    path = VAR_DIR / "secret_key"
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=VAR_DIR) as file:  # readable by its owner only
            file.write(get_random_secret_key())
            file.flush()
            with suppress(FileExistsError):  # another process made one at this moment: use that one
                os.link(file.name, path)
    return path.read_text()


SECRET_KEY = _secret_key()

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "benchdb.embedded",
    "benchdb.audit",
    "benchdb.quotas",
    "benchdb.identity",
    "benchdb.catalog",
    "benchdb.runs",
    "benchdb.signatures",
    "benchdb.ingest",
    "benchdb.plans",
    "benchdb.compare",
    "benchdb.exports",
    "benchdb.reproductions",
    "benchdb.publications",
    "benchdb.machines",
    "benchdb.alerts",
    "benchdb.components",
    "benchdb.questions",
    "benchdb.api",
    "benchdb.web",
    "benchdb.web.admin_config.OurAdminConfig",  # after our apps, whose templates take precedence
    "benchdb.demo",
    "benchdb.operations",
]

MIDDLEWARE = [
    "benchdb.operations.middleware.Observed",  # first: measures all the others, and answers probes
    "benchdb.web.middleware.budget.Budget",
    "django.middleware.security.SecurityMiddleware",
    "benchdb.web.middleware.privacy.Privacy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "benchdb.web.middleware.compressed.Compressed",  # pages with many cells shrink to a tenth
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "benchdb.web.middleware.remote_user.RemoteUser",
    "benchdb.web.middleware.limits.AccessMiddleware",
    "benchdb.web.middleware.limits.Limits",
    "django.middleware.csrf.CsrfViewMiddleware",  # after limits: it reads the body of a form
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "benchdb.web.middleware.database_down.DatabaseDown",
    "benchdb.api.middleware.answers_of_the_api",
    "benchdb.replica.middleware.ReadFromReplica",  # last: it may run the view twice, and only the view
]

ROOT_URLCONF = "benchdb.urls"
WSGI_APPLICATION = "benchdb.wsgi.application"
CSRF_FAILURE_VIEW = "benchdb.web.views.csrf_failure"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "runs"
LOGOUT_REDIRECT_URL = "runs"
SECOND_FACTOR = _variables.second_factor  # whom it is required of; see benchdb/web/account/second_factor.py
OTP_TOTP_ISSUER = f"BenchDB {ALLOWED_HOSTS[0]}"  # the name in the app
# Sign-in by an OpenID provider, off without an issuer; see benchdb/web/sign_in/provider.py.
OIDC_ISSUER = _variables.oidc_issuer
OIDC_CLIENT_ID = _variables.oidc_client_id
OIDC_CLIENT_SECRET = _variables.oidc_client_secret.get_secret_value() if _variables.oidc_client_secret else ""
OIDC_LABEL = _variables.oidc_label or urlsplit(OIDC_ISSUER).netloc
OIDC_NAME_CLAIM = _variables.oidc_name_claim
OIDC_ACCOUNTS = _variables.oidc_accounts
# Sign-in by a proxy in front, off without a name; see benchdb/web/middleware/remote_user.py.
REMOTE_USER = _variables.remote_user
REMOTE_USER_PROXIES = _variables.remote_user_proxies
REMOTE_USER_ACCOUNTS = _variables.remote_user_accounts
# Accounts that people make with their mail address; see benchdb/web/sign_in/sign_up.py.
SIGN_UP = _variables.sign_up
SIGN_UP_DOMAINS = _variables.sign_up_domains
PASSWORD_RESET_TIMEOUT = 24 * 3600  # for which the links in mails are valid, also those to new accounts
NEW_ROLE = _variables.new_role  # of accounts that people make themselves
LICENSE = _variables.license  # of public data, "" if nobody stated one
_mail = urlsplit(_variables.mail_url.get_secret_value() if _variables.mail_url else "")
EMAIL_HOST, EMAIL_PORT = _mail.hostname or "", _mail.port or {"smtps": 465, "smtp+tls": 587}.get(_mail.scheme, 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_mail.username or ""), unquote(_mail.password or "")
if _variables.mail_password:
    EMAIL_HOST_PASSWORD = _variables.mail_password.get_secret_value()
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail.scheme == "smtps", _mail.scheme == "smtp+tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = _variables.mail_from
WEBHOOKS = _variables.webhooks  # the addresses that webhooks may have; see benchdb/alerts/webhooks.py
READERS = _variables.readers  # of public data; see benchdb/web/middleware/limits.py

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "benchdb.web.context.version",
                "benchdb.web.context.contributes",
                "benchdb.web.context.canonical",
            ],
        },
    }
]

# PostgreSQL: the server of DATABASE_URL (its parameters, such as sslmode, are libpq's), else the embedded one.
_database = dj_database_url.parse(
    _variables.database_url.get_secret_value() if _variables.database_url else embedded.database_url(VAR_DIR),
    engine="benchdb.connections.database",  # Django's backend with a circuit breaker
    conn_max_age=600,
    conn_health_checks=True,
)
if _variables.database_password:
    _database["PASSWORD"] = _variables.database_password.get_secret_value()
# Timeouts for a server that does not answer; over TCP also for a lost machine or network during a query.
_patience = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}
# Executions of a statement after which psycopg prepares it; see `prepared_cursor` in benchdb/connections/database.
_prepared = {"prepare_threshold": 5}
DATABASES: dict[str, dict[str, Any]] = {
    "default": {**_database, "OPTIONS": {**_patience, **_prepared, **_database.get("OPTIONS", {})}}
}
if _variables.replica_url:  # parts that it lacks are the primary's
    _of_replica = dj_database_url.parse(_variables.replica_url.get_secret_value())
    _address = {name: _of_replica[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT") if _of_replica[name]}
    _quick = {"connect_timeout": 2, **_of_replica.get("OPTIONS", {})}
    DATABASES["replica"] = {**DATABASES["default"], **_address, "TEST": {"MIRROR": "default"}}
    DATABASES["replica"]["OPTIONS"] = {**DATABASES["default"]["OPTIONS"], **_quick}
DATABASE_ROUTERS = ["benchdb.replica.reading.Router"] if _variables.replica_url else []
REPLICA_SECONDS = _variables.replica_seconds  # the longest lag of a replica that is read from
LOCK_SECONDS = 2  # limit for the wait of a web request for a lock
STATEMENT_SECONDS = 60  # limit for one statement of a web request; see benchdb/wsgi.py
DATABASE_PATIENCE = _variables.database_patience  # seconds that `up` waits for a server that may be starting
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Redis protocol: the server of REDIS_URL, else the embedded one.
REDIS_URL = _variables.redis_url.get_secret_value() if _variables.redis_url else embedded.redis_url(VAR_DIR)
if _variables.broker_password:
    REDIS_URL = redis_urls.with_password(REDIS_URL, _variables.broker_password.get_secret_value())
CACHE_URL = redis_urls.cache_url(REDIS_URL)
if _variables.cache_password:
    CACHE_URL = redis_urls.with_password(CACHE_URL, _variables.cache_password.get_secret_value())
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "benchdb",
        # No cached value is worth a wait: a cache that hangs counts as away.
        "OPTIONS": {
            "pool_class": "benchdb.connections.cache.CachePool",
            "serializer": "benchdb.connections.cache.JsonSerializer",
            "socket_timeout": 2,
            "socket_connect_timeout": 2,
        },
    },
    # Overviews of runs for lists, a kilobyte each, in the memory of each process only.
    "overviews": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 5000}},
}

# Defaults; a command line may override them.
WEB_PROCESSES = _variables.workers
WORKER_PROCESSES = CELERY_WORKER_CONCURRENCY = _variables.processes

CELERY_BROKER_URL = redis_urls.celery_broker_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True  # the state of a run is in the database
CELERY_TASK_ACKS_LATE = True  # a task whose worker dies runs again; every task is idempotent
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540
# Memory that a task may add to its process before it fails with a reason. See benchdb/celery.py.
TASK_MEMORY_BYTES = _variables.task_memory * 2**20
# The longest that one run's statistics may take; then it has failed (docs/scaling.md has what the largest run takes).
STATISTICS_SECONDS = 60
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 300 * 10**6 // 1024  # KiB, also shared; a process with more is replaced
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A request does not wait long for a broker that is away or hangs: the sweep will find the run.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 1200,
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
    "max_retries": 0,
}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A sweep over the database finds runs whose task was lost, since the broker's memory is not durable.
SWEEP_SECONDS = _variables.sweep_seconds
_swept = {"schedule": SWEEP_SECONDS, "options": {"expires": SWEEP_SECONDS}}
# How often an agent reports its progress with a queued plan; pages show each report.
REPORT_SECONDS = _variables.report_seconds
# In memory only: all tasks are due within a minute anyway, and a half-written schedule file would stop beat.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# One after another, in one process: each may take seconds, and together they would hold all.
LONG_SWEEPS = (
    "benchdb.alerts.tasks.send_due",
    "benchdb.alerts.tasks.sweep",
    "benchdb.compare.tasks.redact_deleted",
    "benchdb.exports.tasks.ask_answers",
    "benchdb.reproductions.tasks.sweep",
    "benchdb.runs.tasks.tidy_archive",
    "benchdb.web.tasks.sweep_deleted_accounts",
)
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "benchdb.runs.tasks.sweep", **_swept},
    "kept": {"task": "benchdb.runs.tasks.trim_kept", **_swept},
    "recomputation": {"task": "benchdb.runs.tasks.recompute_outdated", **_swept},
    "changes": {"task": "benchdb.runs.tasks.number_changes", **_swept},
    "leases": {"task": "benchdb.plans.tasks.expire_leases", **_swept},
    "long": {"task": "benchdb.celery.sweep_in_turn", **_swept},
    "exports": {"task": "benchdb.exports.tasks.tidy", **_swept},
    "imports": {"task": "benchdb.ingest.tasks.tidy_imports", **_swept},
    "mails": {"task": "benchdb.web.tasks.send_account_mails", **_swept},
    "sessions": {"task": "benchdb.web.tasks.delete_expired_sessions", **_swept},
}

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [
    *(directory for directory in [BASE_DIR / "frontend" / "dist"] if directory.is_dir()),
    ("docs", BASE_DIR / "docs" / "pictures"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    "archive": _variables.archive
    or {"BACKEND": "benchdb.runs.store.archive.DurableFiles", "OPTIONS": {"location": VAR_DIR / "archive"}},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],  # Plotly renders images into data and blob URLs
        "style-src": [SELF, UNSAFE_INLINE],  # Plotly sets inline styles
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True

# benchdb.ingest reads and limits uploads; forms are small.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 500  # the limit of one import
FILE_UPLOAD_HANDLERS = ["benchdb.web.middleware.no_files.NoFiles"]
UPLOAD_MAX_BYTES = 64 * 1024 * 1024
UPLOAD_MAX_INFLATED_BYTES = 128 * 1024 * 1024

# Rates such as 600/m: see benchdb/http/rate_limits.py.
UPLOAD_RATE = _variables.upload_rate  # documents per account
SHARE_RATE = _variables.share_rate  # permalinks per account
IMPORT_RATE = _variables.import_rate  # imports per account
LOGIN_RATE = _variables.login_rate  # wrong passwords per address
MAIL_RATE = "20/h"  # mails with links per address of the network
MAIL_ADDRESS_RATE = "2/h"  # of them per kind and mail address, and of links that confirm it, per account
MAIL_TOTAL_RATE = "4/h"  # per kind and mail address, for all accounts
LOGIN_NAME_RATE = "100/h"  # wrong passwords per name; also bounds the lockout of its owner
ADDRESS_RATE = _variables.address_rate  # writing requests per address
WORK_RATE = _variables.work_rate  # processor seconds per address and per account; see benchdb/http/work.py
# By the name of the quota, `1000`, `1000/50000` or None; see benchdb/quotas/limits.py.
QUOTAS = {
    "runs": _variables.quota_runs,
    "values": _variables.quota_values,
    "bytes": _variables.quota_bytes,  # MiB
    "campaigns": _variables.quota_campaigns,
    "plans": _variables.quota_plans,
    "machines": _variables.quota_machines,
    "imports": _variables.quota_imports,
    "permalinks": _variables.quota_permalinks,
    "tokens": _variables.quota_tokens,
}
PROXIES = _variables.proxies
# How long a shared cache may answer for a permalink; see benchdb/compare/permalinks/kept_answers.py.
CDN_SECONDS = _variables.cdn_seconds

LANGUAGE_CODE = "en-gb"
FORMAT_MODULE_PATH = "benchdb.web.formats"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

LOG = _variables.log
LOGGING = logs.configuration(LOG)
METRICS_TOKEN = _variables.metrics_token.get_secret_value() if _variables.metrics_token else ""
