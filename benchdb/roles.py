"""Roles of accounts (docs/security.md, "Roles"), stored only in the fields and groups of Django's own accounts.

A viewer is in the group `viewer` and only reads; a maintainer is staff and in the group `maintainer`; an admin is a
superuser; every other account is a contributor.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db import models, transaction
from django.db.models import Exists, OuterRef

KNOWN = "_only_reads"  # the attribute of a user object that keeps the answer
# The permissions of maintainers in the admin.
OF_MAINTAINERS = (
    *("view_user", "view_token", "view_machine", "view_publication", "view_runstate", "view_auditentry"),
    *("change_runstate", "change_token"),
)


# Names that BenchDB gives to accounts itself: the owner of published figures, and the beginning of deleted ones.
RESERVED, RESERVED_BEGINNING = {"publications"}, "deleted-"


class Role(models.TextChoices):
    """Roles in ascending order; each includes the rights of those before it."""

    VIEWER = "viewer"
    CONTRIBUTOR = "contributor"
    MAINTAINER = "maintainer"
    ADMIN = "admin"


def is_reserved(name: str) -> bool:
    """Whether people cannot choose this name for their account."""
    return name.casefold() in RESERVED or name.casefold().startswith(RESERVED_BEGINNING)


def only_reads(user: User | AnonymousUser) -> bool:
    """Whether the user is a viewer; at most one query for each user object, which lives as long as a request."""
    if not user.is_authenticated or user.is_staff or user.is_superuser:
        return False
    known: bool | None = getattr(user, KNOWN, None)
    if known is None:
        known = user.groups.filter(name=Role.VIEWER).exists()
        setattr(user, KNOWN, known)
    return known


def owner_only_reads() -> Exists:
    """Whether the owner of a row is a viewer, for `annotate`."""
    return Exists(User.groups.through._default_manager.filter(user=OuterRef("owner"), group__name=Role.VIEWER))


def role_of(user: User) -> Role:
    """The role of an account; one query if its groups are not prefetched."""
    if user.is_superuser:
        return Role.ADMIN
    if user.is_staff:
        return Role.MAINTAINER
    return Role.VIEWER if any(group.name == Role.VIEWER for group in user.groups.all()) else Role.CONTRIBUTOR


def set_role(user: User, role: Role) -> None:
    """Give the account this role and no other."""
    with transaction.atomic():
        user.is_superuser, user.is_staff = role == Role.ADMIN, role in (Role.MAINTAINER, Role.ADMIN)
        user.save(update_fields=["is_superuser", "is_staff"])
        user.groups.set([_group(role)] if role in (Role.VIEWER, Role.MAINTAINER) else [])
    user.__dict__.pop("_only_reads", None)


def _group(role: Role) -> Group:
    group, _ = Group.objects.get_or_create(name=role)
    if role == Role.MAINTAINER:  # also for groups made by an older version with fewer permissions
        group.permissions.set(Permission.objects.filter(codename__in=OF_MAINTAINERS))
    return group
