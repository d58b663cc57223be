"""Every import contract of `pyproject.toml` holds, and fails if it is broken on purpose."""

from copy import deepcopy
from pathlib import Path

import grimp
import pytest
from importlinter import Contract, api
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

OPTIONS = api.read_configuration(str(Path(__file__).parents[2] / "pyproject.toml"))
CONTRACTS = {options["name"]: options for options in OPTIONS["contracts_options"]}
TYPES: dict[str, type[Contract]] = {
    "layers": LayersContract,
    "forbidden": ForbiddenContract,
    "acyclic_siblings": AcyclicSiblingsContract,
}
SERVER, COMPARE = "The packages of the server", "The packages of compare"
RUNS, AGENT = "The packages of runs", "The packages of the agent"
# A contract, and an import that it must forbid.
BREACHES = [
    ("Siblings import each other in one direction, in every package", "benchdb.wording.units", "benchdb.wording.words"),
    (
        "Siblings import each other in one direction, in every package",
        "benchdb.stats.moments",
        "benchdb.stats.summary.summaries",
    ),
    (SERVER, "benchdb.runs.models", "benchdb.compare.models"),
    (SERVER, "benchdb.exports.models", "benchdb.publications.models"),
    (SERVER, "benchdb.embedded.config", "benchdb.catalog.models"),
    (SERVER, "benchdb.replica.reading", "benchdb.runs.queries"),
    (SERVER, "benchdb.connections.cache", "benchdb.wording.units"),
    (SERVER, "benchdb.web.views", "benchdb.demo.pages"),
    (COMPARE, "benchdb.compare.surface.page", "benchdb.compare.table.page"),
    (RUNS, "benchdb.runs.services", "benchdb.runs.listing.filters"),
    (AGENT, "benchagent.tools.declaration", "benchagent.spool.store"),
    (
        "The server imports the agent's formats, plan, tools and file systems, and nothing else of it",
        "benchdb.api.app",
        "benchagent.cli",
    ),
    ("Statistics are NumPy and SciPy and nothing of ours", "benchdb.stats.moments", "benchagent.formats"),
    ("The agent imports nothing of the server and no library", "benchagent.cli", "numpy"),
    ("The demo uses the site from outside, by HTTP and command lines", "benchdb.demo.pages", "benchdb.runs.queries"),
    ("The embedded services know the settings and the Celery app only", "benchdb.embedded.up", "benchdb.roles"),
    ("The supervisor imports nothing of Django and of the application", "benchdb.embedded.worker", "benchdb.celery"),
    ("The replica and the connections know no app", "benchdb.replica.reading", "benchdb.variables"),
    ("One module sends requests to other hosts", "benchdb.alerts.webhooks", "requests"),
]
# A contract, and a new package that must be added to it.
NEW_PACKAGES = [
    (SERVER, "benchdb.invented"),
    (COMPARE, "benchdb.compare.invented"),
    (RUNS, "benchdb.runs.invented"),
    (AGENT, "benchagent.invented"),
]


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    """All imports, as import-linter reads them."""
    return grimp.build_graph("benchdb", "benchagent", include_external_packages=True, cache_dir=None)


def contract(name: str) -> Contract:
    options = CONTRACTS[name]
    return TYPES[options["type"]](name, OPTIONS["session_options"], options)


def is_kept(name: str, graph: grimp.ImportGraph) -> bool:
    return contract(name).check(graph, verbose=False).kept


def with_import(graph: grimp.ImportGraph, importer: str, imported: str) -> grimp.ImportGraph:
    """A copy in which `importer` also imports `imported`."""
    changed = deepcopy(graph)
    for module in (importer, imported):
        assert module in changed.modules or "." not in module, f"{module} is not there any more"
    if imported not in changed.modules:
        changed.add_module(imported, is_squashed=True)
    changed.add_import(importer=importer, imported=imported, line_number=1, line_contents=f"import {imported}")
    return changed


@pytest.mark.parametrize("name", CONTRACTS)
def test_it_holds(imports: grimp.ImportGraph, name: str) -> None:
    assert is_kept(name, deepcopy(imports))


def test_each_contract_is_broken_below() -> None:
    assert {name for name, *_ in BREACHES} == set(CONTRACTS)


@pytest.mark.parametrize(("name", "importer", "imported"), BREACHES)
def test_it_fails_if_it_is_broken(imports: grimp.ImportGraph, name: str, importer: str, imported: str) -> None:
    assert not is_kept(name, with_import(imports, importer, imported))


@pytest.mark.parametrize(("name", "package"), NEW_PACKAGES)
def test_a_new_package_must_be_placed(imports: grimp.ImportGraph, name: str, package: str) -> None:
    changed = deepcopy(imports)
    changed.add_module(package)

    assert not is_kept(name, changed)
