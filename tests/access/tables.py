"""The expected status of every address for every reader. `in`: redirected to the sign-in page.

A row is a method, an address (see `readers.make_store` for the names in it) and one status for each of
`readers.READERS`; rows of the API also have one status for each scope, for a token of the owner with only this scope.
"""

from dataclasses import dataclass
from typing import Any

from tests.support.campaigns import PLAN

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


@dataclass(frozen=True)
class Row:
    """A request, and the expected status for each reader."""

    method: str
    path: str
    expected: tuple[str, ...]


def rows(table: str) -> list[Row]:
    """The rows of a table, without its comments."""
    words = (line.split() for line in table.splitlines() if line and not line.startswith("#"))
    return [Row(method, path, tuple(statuses)) for method, path, *statuses in words]


# Bodies of requests whose status depends on the body. Other requests send a form without fields, or `{}`.
SENT: dict[str, dict[str, Any]] = {
    "POST /runs/{small}/withdraw/": {"reason": "x"},
    "POST /runs/{private}/edit/": {"labels": "", "visibility": "public"},
    "POST /runs/{private}/withdraw/": {"reason": "x"},
    "POST /share/": {"query": "run={small}"},
    "POST /plans/new/": {"plan": PLAN, "machines": "{machine}", "visibility": "private"},
    "PUT /api/v1/runs/{small}/withdrawal": {"reason": "x"},
    "PUT /api/v1/runs/{private}/withdrawal": {"reason": "x"},
    "POST /api/v1/queue": {"plan": PLAN, "machines": ["epyc-2"]},
    "POST /api/v1/queue/claim": {"machine_id": "6d" * 32, "machine_name": "new", "agent_version": "1"},
    "POST /api/v1/queue/{running}/report": {"lease": "{new}", "progress": {}},
    "POST /api/v1/queue/{running}/finish": {"lease": "{new}", "outcome": "finished"},
    "POST /api/v1/permalinks": {"query": "run={small}"},
    "POST /api/v1/gate": {
        "tests": [{"name": "x", "metric": "rate", "baseline_values": [1, 2], "candidate_values": [1, 2]}],
        "looks": [2],
        "planned": 1,
        "margin": 0.05,
    },
}

PAGES = """
# anonymous, a viewer, another user, the owner, a maintainer, an admin
# Lists and search.
GET    /                                                          200 200 200 200 200 200
GET    /runs/                                                     200 200 200 200 200 200
GET    /runs/feed.atom                                            200 200 200 200 200 200
GET    /campaigns/feed.atom                                       200 200 200 200 200 200
GET    /runs/all/?tool=iozone                                     302 302 302 302 302 302
GET    /runs/all.json                                             200 200 200 200 200 200
GET    /machines/                                                 200 200 200 200 200 200
GET    /campaigns/                                                200 200 200 200 200 200
GET    /search/?q=epyc                                            200 200 200 200 200 200
GET    /search/suggest/?q=epyc                                    200 200 200 200 200 200
GET    /articles/                                                 200 200 200 200 200 200
# A public run.
GET    /runs/{small}/                                             200 200 200 200 200 200
GET    /runs/{small}/others/                                      302 302 302 302 302 302
GET    /runs/{small}/published/                                   200 200 200 200 200 200
GET    /runs/{small}/again/                                       200 200 200 200 200 200
GET    /runs/{small}/again/plan.toml                              404 404 404 404 404 404
GET    /runs/{small}/results/0/                                   200 200 200 200 200 200
GET    /runs/{small}/panels?row=0                                 200 200 200 200 200 200
GET    /runs/{small}/results/0/latencies.csv                      404 404 404 404 404 404
GET    /runs/{small}/inside/                                      200 200 200 200 200 200
GET    /runs/{small}/inside.csv                                   404 404 404 404 404 404
GET    /runs/{small}/inside.svg                                   404 404 404 404 404 404
GET    /runs/{small}/raw/iozone.txt                               200 200 200 200 200 200
GET    /runs/{small}/edit/                                         in 404 404 200 404 404
POST   /runs/{small}/edit/                                         in 403 404 422 404 404
GET    /runs/{small}/withdraw/                                     in 404 404 200 404 404
POST   /runs/{small}/withdraw/                                     in 403 404 302 404 404
POST   /runs/{small}/reinstate/                                    in 403 404 302 404 404
GET    /runs/{small}/delete/                                       in 404 404 200 404 404
POST   /runs/{small}/delete/                                       in 403 404 302 404 404
# A signed one.
GET    /runs/{signed}/signed/document.json                        200 200 200 200 200 200
GET    /runs/{signed}/signed/nothing                              404 404 404 404 404 404
GET    /runs/{private}/signed/document.json                       404 404 404 404 404 404
# Withdrawn, deleted.
GET    /runs/{withdrawn}/                                         200 200 200 200 200 200
GET    /runs/{deleted}/                                           410 410 410 410 410 410
POST   /runs/{deleted}/delete/                                     in 403 410 410 410 410
# A private one.
GET    /runs/{private}/                                           404 404 404 200 404 404
GET    /runs/{private}/others/                                    404 404 404 302 404 404
GET    /runs/{private}/published/                                 404 404 404 200 404 404
GET    /runs/{private}/again/                                     404 404 404 200 404 404
GET    /runs/{private}/again/plan.toml                            404 404 404 404 404 404
GET    /runs/{private}/results/0/                                 404 404 404 200 404 404
GET    /runs/{private}/panels?row=0                               404 404 404 200 404 404
GET    /runs/{private}/inside/                                    404 404 404 200 404 404
GET    /runs/{private}/inside.csv                                 404 404 404 404 404 404
GET    /runs/{private}/inside.svg                                 404 404 404 404 404 404
GET    /runs/{private}/raw/iozone.txt                             404 404 404 200 404 404
GET    /runs/{private}/edit/                                       in 404 404 200 404 404
POST   /runs/{private}/edit/                                       in 403 404 302 404 404
GET    /runs/{private}/withdraw/                                   in 404 404 200 404 404
POST   /runs/{private}/withdraw/                                   in 403 404 302 404 404
POST   /runs/{private}/reinstate/                                  in 403 404 302 404 404
GET    /runs/{private}/delete/                                     in 404 404 200 404 404
POST   /runs/{private}/delete/                                     in 403 404 302 404 404
# Machines, campaigns, plans.
GET    /machines/{machine}/                                       200 200 200 200 200 200
GET    /machines/{private_machine}/                               404 404 404 200 404 404
GET    /file-systems/                                             200 200 200 200 200 200
GET    /file-systems/ext4/                                        200 200 200 200 200 200
GET    /file-systems/nothing/                                     404 404 404 404 404 404
GET    /questions/best/                                           200 200 200 200 200 200
GET    /questions/facts/                                          200 200 200 200 200 200
GET    /questions/best.csv                                        200 200 200 200 200 200
GET    /questions/facts.json                                      200 200 200 200 200 200
GET    /questions/best/?like={private_machine}                    400 400 400 200 400 400
GET    /campaigns/{campaign}/                                     200 200 200 200 200 200
GET    /campaigns/{repetition}/repeats/{original}/                200 200 200 200 200 200
GET    /campaigns/{repetition}/repeats/{original}.csv             200 200 200 200 200 200
GET    /campaigns/{repetition}/repeats/{hidden}/                  404 404 404 200 404 404
GET    /campaigns/{repetition}/repeats/{hidden}.csv               404 404 404 200 404 404
GET    /plans/                                                     in 200 200 200 200 200
GET    /plans/new/                                                 in 403 200 200 200 200
POST   /plans/new/                                                 in 403 422 302 422 422
GET    /plans/{waiting}/                                           in 404 404 200 404 404
POST   /plans/{waiting}/cancel/                                    in 403 404 302 404 404
# Comparisons.
GET    /compare/?{compared}                                       200 200 200 200 200 200
GET    /compare/?run={private}                                    404 404 404 200 404 404
GET    /compare/table.json?{compared}                             200 200 200 200 200 200
GET    /compare/table.json?run={private}                          404 404 404 200 404 404
GET    /compare/panels?row=0-0&{compared}                         200 200 200 200 200 200
GET    /compare/panels?row=0-0&run={private}                      404 404 404 200 404 404
GET    /compare/latencies/?cell=0-0-0&{compared}                  404 404 404 404 404 404
GET    /compare/latencies/?cell=0-0-0&run={private}               404 404 404 404 404 404
GET    /compare/latencies.csv?cell=0-0-0&run={private}            404 404 404 404 404 404
GET    /compare/goes-with/?cell=0-0-0&{compared}                  404 404 404 404 404 404
GET    /compare/goes-with/?cell=0-0-0&run={private}               404 404 404 404 404 404
GET    /compare/goes-with.csv?cell=0-0-0&{compared}               404 404 404 404 404 404
GET    /compare/goes-with.csv?cell=0-0-0&run={private}            404 404 404 404 404 404
GET    /surface/?run={grid}                                       200 200 200 200 200 200
GET    /surface/?run={private}                                    404 404 404 200 404 404
GET    /surface/surface.json?run={grid}                           200 200 200 200 200 200
GET    /surface/surface.json?run={private}                        404 404 404 200 404 404
GET    /trend/?run={day}                                          200 200 200 200 200 200
GET    /trend/?run={private}                                      404 404 404 200 404 404
GET    /trend/trend.json?run={day}                                200 200 200 200 200 200
GET    /trend/trend.json?run={private}                            404 404 404 200 404 404
GET    /trend/feed.atom?run={day}                                 200 200 200 200 200 200
GET    /trend/feed.atom?run={private}                             404 404 404 404 404 404
GET    /response/?{levels}                                        200 200 200 200 200 200
GET    /response/?run={private}                                   404 404 404 400 404 404
GET    /response/response.json?{levels}                           200 200 200 200 200 200
GET    /response/response.json?run={private}                      404 404 404 400 404 404
GET    /articles/iozone-2009/                                     200 200 200 200 200 200
GET    /articles/iozone-2009.json                                 200 200 200 200 200 200
GET    /articles/iozone-2009/plan/                                200 200 200 200 200 200
GET    /articles/iozone-2009/tables/table-2/beside/              200 200 200 200 200 200
# Watches and alerts.
GET    /watches/                                                   in 200 200 200 200 200
GET    /watches/new/?run={day}                                     in 400 400 200 400 400
POST   /watches/new/?run={day}                                     in 403 400 422 400 400
GET    /watches/{watch}/                                           in 404 404 200 404 404
POST   /watches/{watch}/                                           in 403 404 422 404 404
POST   /watches/{watch}/mute/                                      in 403 404 302 404 404
POST   /watches/{watch}/delete/                                    in 403 404 302 404 404
GET    /watches/{watch}/feed/{feed_key}.atom                      200 200 200 200 200 200
GET    /watches/{watch}/feed/x.atom                               404 404 404 404 404 404
GET    /alerts/{alert}/                                            in 404 404 200 404 404
POST   /alerts/{alert}/acknowledge/                                in 403 404 302 404 404
# What was shared.
POST   /share/                                                     in 403 302 302 302 302
GET    /permalinks/                                                in 200 200 200 200 200
GET    /c/{table}/                                                200 200 200 200 200 200
GET    /c/{table}/embed                                           200 200 200 200 200 200
GET    /c/{table}/today                                           200 200 200 200 200 200
GET    /c/{table}/panels?row=0-0                                  200 200 200 200 200 200
GET    /c/{table}.json                                            200 200 200 200 200 200
GET    /c/{table}/card.png                                        202 202 202 202 202 202
GET    /c/{table}/card.svg                                        202 202 202 202 202 202
GET    /oembed?url=http://testserver/c/{table}/                   200 200 200 200 200 200
GET    /c/{table}/revoke/                                          in 404 404 200 404 404
POST   /c/{table}/revoke/                                          in 403 404 302 404 404
GET    /c/{revoked}/                                              410 410 410 410 410 410
GET    /c/{revoked}/panels?row=0-0                                410 410 410 410 410 410
GET    /c/{revoked}/embed                                         410 410 410 410 410 410
GET    /c/{revoked}/card.png                                      410 410 410 410 410 410
GET    /c/{revoked}/card.svg                                      410 410 410 410 410 410
GET    /oembed?url=http://testserver/c/{revoked}/                 410 410 410 410 410 410
GET    /exports/{digest}/state                                    200 200 200 200 200 200
# Imports.
GET    /import/                                                   200 403 200 200 200 200
POST   /import/                                                    in 403 422 422 422 422
GET    /import/{ready}/                                            in 404 404 200 404 404
POST   /import/{ready}/                                            in 403 404 302 404 404
POST   /import/{ready}/discard/                                    in 403 404 302 404 404
GET    /import/{ready}/files/0/                                    in 404 404 200 404 404
GET    /import/{ready}/files/0/raw                                 in 404 404 200 404 404
# The agent, accounts, the API’s page. The admin has a second factor, so forms that matter ask for a code first.
GET    /agent/                                                    200 200 200 200 200 200
POST   /agent/                                                     in 403 302 302 302 403
GET    /agent/benchagent.pyz                                      200 200 200 200 200 200
GET    /agent/benchagent.pyz.sha256                               200 200 200 200 200 200
GET    /api/                                                      200 200 200 200 200 200
GET    /docs/                                                     200 200 200 200 200 200
GET    /docs/tutorial/                                            200 200 200 200 200 200
GET    /docs/nothing/                                             404 404 404 404 404 404
GET    /account/                                                   in 200 200 200 200 200
POST   /account/                                                   in 422 422 422 422 403
GET    /account/use/                                               in 200 200 200 200 200
GET    /account/password/                                          in 200 200 200 200 200
POST   /account/password/                                          in 200 200 200 200 200
# Without mail (tests/web/sign_in/test_addresses.py has it).
GET    /account/address/                                           in 404 404 404 404 404
POST   /account/address/                                           in 404 404 404 404 403
GET    /account/address/confirm/                                   in 400 400 400 400 400
POST   /account/address/confirm/                                   in 400 400 400 400 400
GET    /login/forgotten/                                          404 404 404 404 404 404
POST   /login/forgotten/                                          404 404 404 404 404 404
GET    /login/forgotten/{new}/x/                                  400 400 400 400 400 400
POST   /login/forgotten/{new}/x/                                  400 400 400 400 400 400
GET    /account/tokens/{token}/revoke/                             in 404 404 200 404 404
POST   /account/tokens/{token}/revoke/                             in 404 404 302 404 404
GET    /account/keys/                                              in 200 200 200 200 200
POST   /account/keys/                                              in 403 422 422 422 403
GET    /account/keys/{key}/revoke/                                 in 404 404 200 404 404
POST   /account/keys/{key}/revoke/                                 in 403 404 302 404 404
GET    /account/second-factor/                                     in 200 200 200 200 200
POST   /account/second-factor/                                     in 302 302 302 302 403
GET    /login/code/                                                in 200 200 200 200 200
POST   /login/code/                                                in 422 422 422 422 422
GET    /login/                                                    200 302 302 302 302 302
POST   /login/                                                    200 302 302 302 302 302
# Without sign-up (tests/web/sign_in/test_sign_up.py has it).
GET    /sign-up/                                                  404 404 404 404 404 404
POST   /sign-up/                                                  404 404 404 404 404 404
GET    /sign-up/sent/                                             404 404 404 404 404 404
GET    /sign-up/confirm/                                          404 404 404 404 404 404
GET    /sign-up/account/                                          404 404 404 404 404 404
POST   /sign-up/account/                                          404 404 404 404 404 404
# Without a provider (tests/web/sign_in/test_provider.py has one).
GET    /login/provider/                                           404 404 404 404 404 404
GET    /login/provider/callback/                                  404 404 404 404 404 404
POST   /account/provider/connect/                                  in 404 404 404 404 403
POST   /account/provider/disconnect/                               in 404 404 404 404 403
GET    /logout/done/                                              404 404 404 404 404 404
GET    /logout/provider/                                          404 404 404 404 404 404
POST   /logout/                                                   302 302 302 302 302 302
GET    /status/                                                    in 403 403 403 200 200
GET    /nowhere/                                                  404 404 404 404 404 404
# Django's admin.
GET    /admin/                                                    302 302 302 302 200 200
GET    /admin/login/                                               in 403 403 403  in  in
POST   /admin/login/                                               in 403 403 403  in  in
GET    /admin/logout/                                             302 302 302 302 405 405
POST   /admin/logout/                                             302 302 302 302 302 302
GET    /admin/password_change/                                    302 302 302 302 302 302
GET    /admin/password_change/done/                               302 302 302 302 200 200
GET    /admin/autocomplete/                                       302 302 302 302 403 403
GET    /admin/jsi18n/                                             302 302 302 302 200 200
GET    /admin/r/1/1/                                              302 302 302 302 404 404
GET    /admin/auth/                                               302 302 302 302 200 200
GET    /admin/nowhere/                                            302 302 302 302 404 404
GET    /admin/auth/user/                                          302 302 302 302 200 200
POST   /admin/auth/user/                                          302 403 302 302 200 403
GET    /admin/auth/user/add/                                      302 302 302 302 403 200
POST   /admin/auth/user/add/                                      302 403 302 302 403 403
GET    /admin/auth/user/{user}/                                   302 302 302 302 302 302
GET    /admin/auth/user/{user}/change/                            302 302 302 302 200 200
POST   /admin/auth/user/{user}/change/                            302 403 302 302 403 403
GET    /admin/auth/user/{user}/password/                          302 302 302 302 403 200
POST   /admin/auth/user/{user}/password/                          302 403 302 302 403 403
GET    /admin/auth/user/{user}/history/                           302 302 302 302 200 200
GET    /admin/auth/user/{user}/delete/                            302 302 302 302 403 403
POST   /admin/auth/user/{user}/delete/                            302 403 302 302 403 403
GET    /admin/quotas/ownquota/                                    302 302 302 302 403 200
GET    /admin/quotas/ownquota/add/                                302 302 302 302 403 200
POST   /admin/quotas/ownquota/add/                                302 403 302 302 403 403
GET    /admin/quotas/ownquota/{quota}/                            302 302 302 302 302 302
GET    /admin/quotas/ownquota/{quota}/change/                     302 302 302 302 403 200
POST   /admin/quotas/ownquota/{quota}/change/                     302 403 302 302 403 403
GET    /admin/quotas/ownquota/{quota}/history/                    302 302 302 302 403 200
POST   /admin/quotas/ownquota/{quota}/delete/                     302 403 302 302 403 403
GET    /admin/audit/auditentry/                                   302 302 302 302 200 200
GET    /admin/audit/auditentry/add/                               302 302 302 302 403 403
GET    /admin/audit/auditentry/{entry}/                           302 302 302 302 302 302
GET    /admin/audit/auditentry/{entry}/change/                    302 302 302 302 200 200
POST   /admin/audit/auditentry/{entry}/change/                    302 403 302 302 403 403
GET    /admin/audit/auditentry/{entry}/history/                   302 302 302 302 200 200
POST   /admin/audit/auditentry/{entry}/delete/                    302 403 302 302 403 403
GET    /admin/ingest/token/                                       302 302 302 302 200 200
POST   /admin/ingest/token/                                       302 403 302 302 200 403
GET    /admin/ingest/token/add/                                   302 302 302 302 403 403
GET    /admin/ingest/token/{token}/                               302 302 302 302 302 302
GET    /admin/ingest/token/{token}/change/                        302 302 302 302 200 200
POST   /admin/ingest/token/{token}/change/                        302 403 302 302 403 403
GET    /admin/ingest/token/{token}/history/                       302 302 302 302 200 200
POST   /admin/ingest/token/{token}/delete/                        302 403 302 302 403 403
GET    /admin/runs/runstate/                                      302 302 302 302 200 200
POST   /admin/runs/runstate/                                      302 403 302 302 200 403
GET    /admin/runs/runstate/add/                                  302 302 302 302 403 403
GET    /admin/runs/runstate/{private}/                            302 302 302 302 302 302
GET    /admin/runs/runstate/{private}/change/                     302 302 302 302 200 200
POST   /admin/runs/runstate/{private}/change/                     302 403 302 302 403 403
GET    /admin/runs/runstate/{private}/history/                    302 302 302 302 200 200
POST   /admin/runs/runstate/{private}/delete/                     302 403 302 302 403 403
GET    /admin/catalog/machine/                                    302 302 302 302 200 200
POST   /admin/catalog/machine/                                    302 403 302 302 200 403
GET    /admin/catalog/machine/add/                                302 302 302 302 403 403
GET    /admin/catalog/machine/{machine}/                          302 302 302 302 302 302
GET    /admin/catalog/machine/{machine}/change/                   302 302 302 302 200 200
POST   /admin/catalog/machine/{machine}/change/                   302 403 302 302 403 403
GET    /admin/catalog/machine/{machine}/history/                  302 302 302 302 200 200
POST   /admin/catalog/machine/{machine}/delete/                   302 403 302 302 403 403
GET    /admin/publications/publication/                           302 302 302 302 200 200
GET    /admin/publications/publication/add/                       302 302 302 302 403 403
GET    /admin/publications/publication/iozone-2009/               302 302 302 302 302 302
GET    /admin/publications/publication/iozone-2009/change/        302 302 302 302 200 200
POST   /admin/publications/publication/iozone-2009/change/        302 403 302 302 403 403
GET    /admin/publications/publication/iozone-2009/history/       302 302 302 302 200 200
POST   /admin/publications/publication/iozone-2009/delete/        302 403 302 302 403 403
"""

API = """
# tokens of the same, and of the owner: upload, read, queue, serve
GET    /api/v1/                                           404 404 404 404 404 404 404 404 404 404
GET    /api/v1/openapi.json                               200 200 200 200 200 200 200 200 200 200
GET    /api/v1/schemas/run/1                              200 200 200 200 200 200 200 200 200 200
GET    /api/v1/schemas/campaign/1                         200 200 200 200 200 200 200 200 200 200
GET    /api/v1/token                                      401 200 200 200 200 200 200 200 200 200
GET    /api/v1/status                                     401 403 403 403 200 200 403 403 403 403
GET    /api/v1/runs                                       200 200 200 200 200 200 200 200 403 403
PUT    /api/v1/runs/{new}                                 401 403 422 422 422 422 422 403 403 403
PUT    /api/v1/runs/{small}                               401 403 422 422 422 422 422 403 403 403
GET    /api/v1/runs/{small}                               200 200 200 200 200 200 200 200 403 403
GET    /api/v1/runs/{small}/state                         200 200 200 200 200 200 200 200 403 403
GET    /api/v1/runs/{small}/artifacts/iozone.txt          200 200 200 200 200 200 200 200 403 403
GET    /api/v1/changes                                    200 200 200 200 200 200 200 200 403 403
GET    /api/v1/runs/{small}/document                      200 200 200 200 200 200 200 200 403 403
GET    /api/v1/runs/{small}/histograms                    200 200 200 200 200 200 200 200 403 403
GET    /api/v1/runs/{small}/series                        200 200 200 200 200 200 200 200 403 403
PUT    /api/v1/runs/{small}/withdrawal                    401 403 404 204 404 404 204 403 403 403
DELETE /api/v1/runs/{small}/withdrawal                    401 403 404 204 404 404 204 403 403 403
DELETE /api/v1/runs/{small}                               401 403 404 403 404 404 403 403 403 403
# Uploaded with the token of the scope upload.
DELETE /api/v1/runs/{sent}                                401 403 404 403 404 404 204 403 403 403
GET    /api/v1/runs/{private}                             404 404 404 200 404 404 200 200 403 403
GET    /api/v1/runs/{private}/state                       404 404 404 200 404 404 200 200 403 403
GET    /api/v1/runs/{private}/artifacts/iozone.txt        404 404 404 200 404 404 200 200 403 403
GET    /api/v1/runs/{private}/document                    404 404 404 200 404 404 200 200 403 403
GET    /api/v1/runs/{private}/histograms                  404 404 404 200 404 404 200 200 403 403
GET    /api/v1/runs/{private}/series                      404 404 404 200 404 404 200 200 403 403
PUT    /api/v1/runs/{private}/withdrawal                  401 403 404 204 404 404 204 403 403 403
DELETE /api/v1/runs/{private}/withdrawal                  401 403 404 204 404 404 204 403 403 403
DELETE /api/v1/runs/{private}                             401 403 404 403 404 404 403 403 403 403
GET    /api/v1/runs/{deleted}                             410 410 410 410 410 410 410 410 403 403
PUT    /api/v1/runs/{deleted}                             401 403 422 422 422 422 422 403 403 403
DELETE /api/v1/runs/{deleted}                             401 403 410 410 410 410 410 403 403 403
GET    /api/v1/comparisons/table?{compared}               200 200 200 200 200 200 200 200 403 403
GET    /api/v1/comparisons/table?run={private}            404 404 404 200 404 404 200 200 403 403
GET    /api/v1/comparisons/response?{levels}              200 200 200 200 200 200 200 200 403 403
GET    /api/v1/comparisons/table/goes-with?cell=0-0-0&{compared}     404 404 404 404 404 404 404 404 403 403
GET    /api/v1/comparisons/table/goes-with?cell=0-0-0&run={private}  404 404 404 404 404 404 404 404 403 403
GET    /api/v1/comparisons/table/latencies?cell=0-0-0&{compared}     404 404 404 404 404 404 404 404 403 403
GET    /api/v1/comparisons/table/latencies?cell=0-0-0&run={private}  404 404 404 404 404 404 404 404 403 403
GET    /api/v1/campaigns/{campaign}                       200 200 200 200 200 200 200 200 403 403
GET    /api/v1/campaigns/{repetition}/reproductions       200 200 200 200 200 200 200 200 403 403
GET    /api/v1/campaigns/{repetition}/reproductions/{original}  200 200 200 200 200 200 200 200 403 403
GET    /api/v1/campaigns/{repetition}/reproductions/{hidden}  404 404 404 200 404 404 200 200 403 403
GET    /api/v1/campaigns/{campaign}/state                 200 200 200 200 200 200 200 200 403 403
PUT    /api/v1/campaigns/{campaign}                       401 403 422 422 422 422 422 403 403 403
POST   /api/v1/gate                                       401 403 200 200 200 200 200 403 403 403
POST   /api/v1/imports                                    401 403 415 415 415 415 415 403 403 403
GET    /api/v1/imports/{ready}                            404 404 404 200 404 404 200 200 403 403
GET    /api/v1/imports/{ready}/state                      404 404 404 200 404 404 200 200 403 403
GET    /api/v1/imports/{ready}/files/0                    404 404 404 200 404 404 200 200 403 403
POST   /api/v1/imports/{ready}/store                      401 403 422 422 422 422 422 403 403 403
DELETE /api/v1/imports/{ready}                            401 403 404 204 404 404 204 403 403 403
POST   /api/v1/queue                                      401 403 422 201 422 422 403 403 201 403
GET    /api/v1/queue/{waiting}                            404 404 404 200 404 404 200 200 200 403
POST   /api/v1/queue/{waiting}/cancel                     401 403 404 200 404 404 403 403 200 403
POST   /api/v1/queue/claim                                401 403 204 204 204 204 403 403 403 204
POST   /api/v1/queue/{running}/report                     401 403 409 409 409 409 403 403 403 409
POST   /api/v1/queue/{running}/finish                     401 403 409 409 409 409 403 403 403 409
GET    /api/v1/permalinks                                 401 200 200 200 200 200 403 200 403 403
POST   /api/v1/permalinks                                 401 403 201 201 201 201 403 201 403 403
DELETE /api/v1/permalinks/{table}                         401 403 404 204 404 404 204 403 403 403
"""
