"""Calls every operation of the OpenAPI document with inputs from schemathesis. Each answer must be documented.

BENCHDB_EXAMPLES is the number of random calls of each operation. If it is set, as by `make test-faults`, calls at every
limit of the document come first. The test suite makes a few random calls.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks

from benchdb.api.app import api
from benchdb.api.routes.schemas import campaign_schema, run_schema
from benchdb.ingest.models import Import, Scope
from tests.support.documents import document
from tests.support.store import make_token, make_user, store_run
from tests.support.stores.shared import undone

EXAMPLES = os.environ.get("BENCHDB_EXAMPLES")
FEW = 4
RUN, CAMPAIGN, IMPORT = (f"01a1face-1892-7000-8000-{number:012}" for number in (1, 2, 3))
# Ids of stored objects, used instead of generated ones so that calls also reach existing objects.
KNOWN = {"run_id": RUN, "campaign_id": CAMPAIGN, "import_id": IMPORT, "name": "iozone.txt", "number": 1}
# Checks of answers only. Other tests of the API check which requests are refused.
OF_ANSWERS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
)


def _bundled() -> dict[str, Any]:
    """The OpenAPI document including the schemas of run and campaign, which it refers to by address."""
    text = json.dumps(api.get_openapi_schema())
    whole: dict[str, Any] = json.loads(text)
    for name, route in (("run", run_schema), ("campaign", campaign_schema)):
        referenced = json.loads(json.dumps(route(None)).replace("#/$defs/", f"#/components/schemas/{name}_"))
        for part, schema in referenced.pop("$defs").items():
            whole["components"]["schemas"][f"{name}_{part}"] = schema
        whole["components"]["schemas"][name] = referenced
    put = {name: f'"/api/v1/schemas/{name}/1"' for name in ("run", "campaign")}
    paths = json.dumps(whole["paths"])
    for name, address in put.items():
        assert address in paths
        paths = paths.replace(f'"$ref": {address}', f'"$ref": "#/components/schemas/{name}"')
    return {**whole, "paths": json.loads(paths)}


load_all_checks()
described = schemathesis.openapi.from_dict(_bundled())
described.app = get_wsgi_application()  # without threads, which would keep their connections
described.config.phases.coverage.enabled = EXAMPLES is not None


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Keep the test's database connection open after requests, as Django's test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def secret(db: None, settings: Any) -> str:
    settings.UPLOAD_RATE = "1000000/d"
    owner = make_user("ada", is_staff=True)
    store_run(owner, document(run_id=RUN, campaign={"id": CAMPAIGN, "point": "p"}))
    Import.objects.create(pk=IMPORT, owner=owner, state="ready")
    return make_token(owner, *Scope)[1]


@described.parametrize()
@settings(
    max_examples=int(EXAMPLES or FEW),
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_documented(case: schemathesis.Case, secret: str) -> None:
    _call(case, secret)
    if known := {name: value for name, value in KNOWN.items() if name in (case.path_parameters or {})}:
        case.path_parameters = {**case.path_parameters, **known}
        _call(case, secret)


def _call(case: schemathesis.Case, secret: str) -> None:
    # A request to another host reaches no operation, so generated headers must not name one.
    own = {"Host": "localhost", "Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
    with undone():
        answer = case.call(headers=own)
    case.validate_response(answer, checks=[CHECKS.get_one(name) for name in OF_ANSWERS])


def test_the_known_ids_lead_somewhere(client: Client, secret: str) -> None:
    headers = {"Authorization": f"Bearer {secret}"}
    for path in (f"runs/{RUN}", f"runs/{RUN}/artifacts/iozone.txt", f"campaigns/{CAMPAIGN}", f"imports/{IMPORT}"):
        assert client.get(f"/api/v1/{path}", headers=headers).status_code == 200
