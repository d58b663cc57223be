"""The articles, loaded once for all tests of a module that only read them."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from benchdb.publications.data_files import read, slugs
from benchdb.publications.models import Publication
from benchdb.publications.services import load


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Publication]]:
    """The publications by their slugs, removed after the last test of a module; its tests need `django_db` too."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield {slug: load(read(slug)).publication for slug in slugs()}
        transaction.set_rollback(True)
