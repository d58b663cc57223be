"""All environment variables of the server, with their types and limits; docs/settings.md describes them for people.

An invalid value ends the program at its start, with a sentence about the values that it takes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from ipaddress import ip_network
from pathlib import Path
from re import fullmatch
from typing import Annotated, Literal
from urllib.parse import urlsplit

import dj_database_url
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from benchdb.connections.redis_urls import cache_url

PREFIX = "BENCHDB_"
BASE_DIR = Path(__file__).resolve().parent.parent
# The requirements of Django's own check, see django.core.checks.security.base.
KEY_CHARACTERS, KEY_DIFFERENT = 50, 5


class WrongSettings(SystemExit):
    """Invalid settings; the message has a sentence for each. Python prints it and exits with 1."""


def _postgres(url: SecretStr) -> SecretStr:
    if dj_database_url.parse(url.get_secret_value())["ENGINE"] != "django.db.backends.postgresql":
        raise ValueError
    return url


def _redis(url: SecretStr) -> SecretStr:
    if urlsplit(url.get_secret_value()).scheme not in ("redis", "rediss", "unix"):
        raise ValueError
    cache_url(url.get_secret_value())  # raises ValueError for a database that is no number
    return url


def _strong(key: SecretStr) -> SecretStr:
    text = key.get_secret_value()
    if len(text) < KEY_CHARACTERS or len(set(text)) < KEY_DIFFERENT:
        raise ValueError
    return key


def _each(is_right: Callable[[str], bool]) -> Callable[[str], str]:
    """A validator for a comma-separated list; spaces and empty items are dropped."""

    def check(text: str) -> str:
        items = [item.strip() for item in text.split(",") if item.strip()]
        if not all(map(is_right, items)):
            raise ValueError
        return ",".join(items)

    return check


def _host(name: str) -> bool:
    return name.startswith("[") or not set(name) & set("/:@ ")


def _origin(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in ("http", "https") and bool(parts.netloc) and not parts.path


def _issuer(address: str) -> str:
    """Empty, or an address with TLS; without TLS only on this machine, where nobody else reads or changes answers."""
    parts = urlsplit(address)
    scheme = "http" if parts.hostname in ("localhost", "127.0.0.1", "::1") and parts.scheme == "http" else "https"
    if address and (parts.scheme != scheme or not parts.netloc or parts.query or parts.fragment):
        raise ValueError
    return address


def _address(address: str) -> str:
    parts = urlsplit(address)
    if address and not (parts.scheme in ("http", "https") and parts.netloc):
        raise ValueError
    return address


def _network(text: str) -> bool:
    ip_network(text)  # raises ValueError, also for an address with bits beyond its network
    return True


def _domain(name: str) -> bool:
    return bool(fullmatch(r"[\w.-]+\.[\w-]+", name))


def _mail(url: SecretStr) -> SecretStr:
    parts = urlsplit(url.get_secret_value())
    if parts.scheme not in ("smtp", "smtp+tls", "smtps") or not parts.hostname or parts.path.strip("/"):
        raise ValueError
    _ = parts.port  # raises ValueError for one that is no number
    return url


def _storage(storage: dict[str, object]) -> dict[str, object]:
    if not {"BACKEND"} <= storage.keys() <= {"BACKEND", "OPTIONS"}:
        raise ValueError
    return storage


# A number for each account, and after a slash one for all accounts together.
QuotaLimits = Annotated[str, Field(pattern=r"^(none|[0-9]{1,12})(/(none|[0-9]{1,12}))?$")]
_QUOTA = "a number for each account, none, or two of these with a slash between them, such as 1000/50000"
Rate = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,8}/[smhd]$")]


class Variables(BaseSettings):
    """The settings of one installation. A description completes the sentence "… takes"."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore")

    database_url: Annotated[SecretStr, AfterValidator(_postgres)] | None = Field(
        None, validation_alias="DATABASE_URL", description="postgresql://user@host:5432/name"
    )
    replica_url: Annotated[SecretStr, AfterValidator(_postgres)] | None = Field(
        None, description="postgresql://user@host:5432/name"
    )
    replica_seconds: int = Field(10, ge=1, le=86400, description="whole seconds from 1 to 86400")
    redis_url: Annotated[SecretStr, AfterValidator(_redis)] | None = Field(
        None, validation_alias="REDIS_URL", description="redis://celery@host:6379/0, rediss://… or unix://celery@/path"
    )
    broker_password: SecretStr | None = Field(None, description="a password")
    cache_password: SecretStr | None = Field(None, description="a password")
    var: Path = Field(BASE_DIR / "var", description="a directory")
    secrets: Path | None = Field(None, description="a directory that is there")
    database_password: SecretStr | None = Field(None, description="a password")
    database_patience: float = Field(60, ge=0, le=86400, description="seconds, up to 86400")
    secret_key: Annotated[SecretStr, AfterValidator(_strong)] | None = Field(
        None, description=f"{KEY_CHARACTERS} or more random characters, such as `openssl rand -hex 32` prints"
    )
    allowed_hosts: Annotated[str, AfterValidator(_each(_host))] = Field(
        "localhost,127.0.0.1,[::1]",
        min_length=1,
        description="names with commas between them, without https:// and port, such as bench.example.org",
    )
    origins: Annotated[str, AfterValidator(_each(_origin))] = Field(
        "", description="addresses with commas between them, with no slash at the end, such as https://example.org"
    )
    archive: Annotated[dict[str, object], AfterValidator(_storage)] | None = Field(
        None,
        description='a storage as Django\'s STORAGES has it, such as {"BACKEND": "storages.backends.s3.S3Storage"}',
    )
    readers: Literal["everybody", "accounts"] = Field("everybody", description="everybody or accounts")
    license: Annotated[str, AfterValidator(_address)] = Field(
        "", description="the address of a licence, such as https://creativecommons.org/licenses/by/4.0/"
    )
    second_factor: Literal["optional", "staff"] = Field("optional", description="optional or staff")
    oidc_issuer: Annotated[str, AfterValidator(_issuer)] = Field(
        "", description="the address of an OpenID provider, such as https://login.example.org"
    )
    oidc_client_id: str = Field(
        "", description="the id that the provider of BENCHDB_OIDC_ISSUER has given to this site"
    )
    oidc_client_secret: SecretStr | None = Field(None, description="a secret")
    oidc_label: str = Field("", max_length=60, description="up to 60 characters")
    oidc_name_claim: str = Field("preferred_username", pattern=r"^[A-Za-z0-9_:/.-]{1,100}$", description="a claim")
    oidc_accounts: Literal["create", "connected"] = Field("create", description="create or connected")
    remote_user: str = Field(
        "",
        pattern=r"^([A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*|REMOTE_USER)$|^$",
        description="the name of a header, such as X-Remote-User, or REMOTE_USER",
    )
    remote_user_proxies: Annotated[str, AfterValidator(_each(_network))] = Field(
        "", description="addresses or networks with commas between them, such as 127.0.0.1,10.0.7.0/24"
    )
    remote_user_accounts: Literal["create", "existing"] = Field("existing", description="create or existing")
    sign_up: Literal["off", "mail"] = Field("off", description="off or mail")
    sign_up_domains: Annotated[str, AfterValidator(_each(_domain))] = Field(
        "", description="domains with commas between them, such as example.org"
    )
    mail_url: Annotated[SecretStr, AfterValidator(_mail)] | None = Field(
        None, description="smtps://user@host, smtp+tls://user@host:587 or, without encryption, smtp://host"
    )
    mail_password: SecretStr | None = Field(None, description="a password")
    mail_from: str = Field("", pattern=r"^$|^[^\r\n]*@[^\r\n]+$", description="an address, such as bench@example.org")
    webhooks: Literal["off", "public", "private"] = Field("public", description="off, public or private")
    new_role: Literal["viewer", "contributor"] = Field("contributor", description="viewer or contributor")
    tls: bool = Field(False, description="0, or 1 where a proxy in front speaks TLS")
    workers: int = Field(2, ge=1, le=64, description="a number from 1 to 64")
    processes: int = Field(min(2, os.cpu_count() or 1) + 1, ge=1, le=64, description="a number from 1 to 64")
    sweep_seconds: int = Field(30, ge=1, le=3600, description="whole seconds from 1 to 3600")
    task_memory: int = Field(2048, ge=64, description="whole MiB, 64 or more")
    report_seconds: int = Field(20, ge=1, le=3600, description="whole seconds from 1 to 3600")
    upload_rate: Rate = Field("600/m", description="uploads a second, minute, hour or day, such as 600/m")
    share_rate: Rate = Field("60/m", description="permalinks a second, minute, hour or day, such as 60/m")
    import_rate: Rate = Field("60/m", description="imports a second, minute, hour or day, such as 60/m")
    login_rate: Rate = Field("30/h", description="wrong passwords a second, minute, hour or day, such as 30/h")
    address_rate: Rate = Field("6000/m", description="requests a second, minute, hour or day, such as 6000/m")
    work_rate: Rate = Field("60/m", description="processor seconds a second, minute, hour or day, such as 60/m")
    quota_runs: QuotaLimits | None = Field(None, description=_QUOTA)
    quota_values: QuotaLimits | None = Field(None, description=_QUOTA)
    quota_bytes: QuotaLimits | None = Field(None, description=f"{_QUOTA}, in MiB")
    quota_campaigns: QuotaLimits | None = Field(None, description=_QUOTA)
    quota_plans: QuotaLimits | None = Field(None, description=_QUOTA)
    quota_machines: QuotaLimits = Field("10000", description=_QUOTA)
    quota_imports: QuotaLimits = Field("20", description=_QUOTA)
    quota_permalinks: QuotaLimits | None = Field(None, description=_QUOTA)
    quota_tokens: QuotaLimits = Field("200", description=_QUOTA)
    proxies: int = Field(0, ge=0, le=8, description="a number from 0 to 8")
    cdn_seconds: int = Field(0, ge=0, le=86400, description="whole seconds up to 86400")
    log: Literal["plain", "json"] = Field("plain", description="plain or json")
    metrics_token: Annotated[SecretStr, Field(min_length=16)] | None = Field(
        None, description="16 or more random characters"
    )
    debug: bool = Field(False, description="0 or 1")


def name_of(field: str) -> str:
    """The environment variable of a field."""
    alias = Variables.model_fields[field].validation_alias
    return alias if isinstance(alias, str) else f"{PREFIX}{field.upper()}"


def read() -> Variables:
    """The settings from the environment and from files in the directory of secrets. Raises WrongSettings."""
    secrets = os.environ.get(f"{PREFIX}SECRETS") or os.environ.get("CREDENTIALS_DIRECTORY")  # the latter is systemd's
    if secrets and not Path(secrets).is_dir():
        raise WrongSettings(_sentence("secrets", secrets))
    try:
        variables = Variables(_secrets_dir=secrets)  # type: ignore[call-arg]  # BaseSettings takes it
    except ValidationError as error:
        raise WrongSettings("\n".join(_sentences(error))) from None
    except (OSError, SettingsError) as error:  # a directory or file of another user, or not a text file
        raise WrongSettings(f"The secrets in {secrets} cannot be read: {error.__cause__ or error}.") from None
    if variables.oidc_issuer and not variables.oidc_client_id:
        raise WrongSettings(_sentence("oidc_client_id", ""))
    if variables.sign_up == "mail" and not (variables.mail_url and variables.mail_from):
        raise WrongSettings(_sentence("mail_from" if variables.mail_url else "mail_url", ""))
    if variables.remote_user not in ("", "REMOTE_USER") and not variables.remote_user_proxies:
        raise WrongSettings(_sentence("remote_user_proxies", ""))
    return variables


def _sentences(error: ValidationError) -> Iterable[str]:
    for fault in error.errors():
        location = str(fault["loc"][0])
        field = next(field for field in Variables.model_fields if location in (field, name_of(field)))
        yield _sentence(field, fault["input"])


def _sentence(field: str, value: object) -> str:
    info = Variables.model_fields[field]
    is_secret = "Secret" in str(info.annotation)
    fault = "is wrong (and not shown here)" if is_secret else f"is {str(value)!r}"
    return f"{name_of(field)} {fault}: it takes {info.description}. See docs/settings.md."


if __name__ == "__main__":  # a check of the settings by a program that does not need them
    read()
