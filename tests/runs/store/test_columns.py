"""Only the models list the columns of results and summaries; rows of queries and the API follow them."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest

import benchdb
from benchagent.formats import Result as ParsedResult
from benchagent.formats.columns import ResultColumns as AgentColumns
from benchdb.api.routes.import_schemas import ResultOut
from benchdb.ingest.contract.result import Result as SentResult
from benchdb.ingest.contract.result import ResultsAsColumns as ContractColumns
from benchdb.runs.queries import OF_RESULT
from benchdb.runs.store import columns
from benchdb.runs.store.result_arrays import ResultArrays
from benchdb.stats import SummaryRow

ROOT = Path(benchdb.__file__).parent


def test_a_measured_result_has_the_columns_of_both_tables() -> None:
    packed = {"values", "singles", "source", "line", "lines"}
    stored = {"run_id", "ordinal", *columns.RESULT, *columns.SUMMARY} - packed
    assert set(OF_RESULT) == stored | {"values", "source", "cv"}


def test_every_statistic_but_the_ratio_of_two_others_is_stored() -> None:
    assert {*columns.SUMMARY, "cv"} == {*SummaryRow.__slots__, "statistics_version"}


def test_columns_have_the_same_names_everywhere() -> None:
    """In the agent's documents, in the contract, in the store's arrays and in the database."""
    of_agent = {field.name for field in fields(AgentColumns)}
    assert of_agent == ContractColumns.model_fields.keys() - {"summary"}
    assert {field.name for field in fields(ResultArrays)} == of_agent | {"given"}
    packed = {"singles", "line", "offsets", "artifacts", "histograms"}  # distributions have a table of their own
    assert {*columns.RESULT} ^ {field.name for field in fields(ResultArrays)} == packed


def test_both_forms_of_results_have_the_same_fields() -> None:
    of_columns = {"offsets", "lines", "artifacts"}
    assert ContractColumns.model_fields.keys() - of_columns == SentResult.model_fields.keys()


def test_imports_show_every_field_of_a_parsed_result_but_evidence_and_distributions() -> None:
    assert ResultOut.model_fields.keys() == set(ParsedResult._fields) - {"evidence", "histograms"}


@pytest.mark.parametrize("together", [{"threads", "status", "error"}, {"mean_low", "median_low", "drift_tau"}])
def test_no_module_lists_the_columns_again(together: set[str]) -> None:
    """No tuple, list, set or text (such as SQL) may list these names."""
    again = [
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if together <= _names(node)
    ]
    assert again == []


def _names(node: ast.AST) -> set[str]:
    """The names in a literal."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return {item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)}
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return set(node.value.replace(",", " ").replace(".", " ").split())
    return set()
