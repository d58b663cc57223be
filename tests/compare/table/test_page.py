"""`/compare/`: file systems as rows, tests as columns, differences, and the best cells."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.compare.table import present
from benchdb.runs.models import KeptPart, Result, RunState, Summary
from benchdb.runs.services import delete_run
from tests.support.comparing.comparisons import MEANS, campaign, compared_runs, ids, surface_run, unknown_id, values
from tests.support.comparing.panels import panels_of
from tests.support.documents import GIB, KIB, MIB, environment, result, target, three_results
from tests.support.html import Page, read
from tests.support.store import store_run
from tests.texts import missing_in


def table_of(client: Client, query: str, status: int = 200) -> Page:
    return read(client.get(f"/compare/?{query}"), status)


def text_at(page: Page, row: str, column: str) -> str:
    """The text of the only cell whose row and column begin like this."""
    (cell,) = (
        cell
        for (_, label, head), cell in page.values("comparison").items()
        if label.startswith(row) and head.startswith(column)
    )
    return cell.text


def test_mean_over_sd_with_verdict_against_the_first_row(client: Client, owner: User) -> None:
    page = table_of(client, ids(compared_runs(owner)))

    assert text_at(page, "ext4", "Write") == "100.00 ± 0.44"
    assert text_at(page, "xfs", "Write") == "120.00 (best) 20.0 % faster"
    assert text_at(page, "btrfs", "Write") == "101.00 ≈ equal within the margin ± 0.45"
    assert text_at(page, "xfs", "Read") == "240.0 (best) 20.0 % faster"
    assert "ext4, xfs, btrfs on epyc-2 · iozone 3.489 · throughput · 32\u00a0GiB file" in page.text
    assert page.tables["comparison"][0][0].text == "File system n = 6 rounds MiB/s, more is better"
    assert [row[0].text for row in page.tables["comparison"][1:]] == ["xfs", "btrfs", "ext4 baseline"], "best first"


def test_the_chosen_baseline_turns_the_verdicts_round(client: Client, owner: User) -> None:
    page = table_of(client, f"{ids(compared_runs(owner))}&baseline=xfs")

    assert text_at(page, "ext4", "Write") == "100.00 16.7 % slower"
    assert text_at(page, "xfs", "Write") == "120.00 (best) ± 0.53"


def test_times_are_better_where_they_are_shorter(client: Client, owner: User) -> None:
    runs = [
        store_run(owner, file_system=name, rounds=6, results=[result(values(mean), "mkfs", "elapsed", "s")])
        for name, mean in (("ext3", 100.0), ("ext4", 10.0))
    ]

    page = table_of(client, ids(runs))

    assert text_at(page, "ext4", "mkfs").endswith(" 10× shorter")
    assert page.tables["comparison"][0][0].text.endswith("s, less is better")


@pytest.mark.parametrize(
    ("others", "cell", "why"),
    [
        ([100 * MIB], "100.0 n = 1", "One value is not enough. Measure at least two rounds."),
        ([100 * MIB, 160 * MIB, 70 * MIB], "110 ± 46", "on each side would determine it within ± 5 %."),
    ],
)
def test_a_verdict_that_cannot_be_given_says_why(
    client: Client, owner: User, others: list[float], cell: str, why: str
) -> None:
    first = store_run(owner, rounds=3, results=[result([100 * MIB, 101 * MIB, 99 * MIB])])
    second = store_run(owner, file_system="xfs", rounds=len(others), results=[result(others)])

    page = table_of(client, ids([first, second]))

    assert text_at(page, "xfs", "Write") == cell
    (detail,) = [panel for panel in panels_of(client, page).values() if panel["title"].startswith("xfs")]
    assert why in dict(detail["facts"])["compared"]


def test_failed_too_fast_and_unmeasured_cells(client: Client, owner: User) -> None:
    full = store_run(owner)
    bare = store_run(owner, file_system="xfs", results=[result([1e8] * 3, file_size=GIB, record_size=MIB)])

    page = table_of(client, f"{ids([full, bare])}&metric=throughput")

    assert text_at(page, "ext4", "Rewrite") == "No space left on device"
    assert text_at(page, "xfs", "Rewrite") == ""
    assert "too fast" in text_at(table_of(client, f"{ids([full])}&metric=rate"), "ext4", "Sequential stat")


def test_record_sizes_are_beside_each_other_or_become_groups(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner, record_sizes=(64 * KIB, MIB)))
    beside = table_of(client, query).values("comparison")

    assert {group for group, _, _ in beside} == {"File system n = 6 rounds MiB/s, more is better"}
    heads = [f"{test}, {size}" for test in ("Write", "Read") for size in ("64\u00a0KiB", "1\u00a0MiB")]
    assert list(dict.fromkeys(head for _, _, head in beside)) == heads
    assert beside["File system n = 6 rounds MiB/s, more is better", "ext4 baseline", "Read, 1\u00a0MiB"].key == "c1-0-1"
    many = ids(compared_runs(owner, record_sizes=tuple(4 * KIB << i for i in range(10))))
    many += "&rows=file_system&columns=test&split=record_size"
    assert len({group for group, _, _ in table_of(client, many).values("comparison")}) == 10
    alone = table_of(client, f"{query}&split=none")
    assert {group for group, _, _ in alone.values("comparison")} == {"File system n = 6 rounds MiB/s, more is better"}


def test_runs_that_meet_in_a_cell_are_the_sample(client: Client, owner: User) -> None:
    runs = [*compared_runs(owner, {"ext4": 100 * MIB}), *compared_runs(owner, {"ext4": 104 * MIB})]

    page = table_of(client, ids(runs))

    assert text_at(page, "ext4", "Write") == "102.0 ± 2.8"
    assert page.tables["comparison"][0][0].text == "File system n = 2 runs MiB/s, more is better"
    detail = next(iter(panels_of(client, page).values()))
    assert dict(detail["facts"])["inside runs"].startswith("sd 0.5 MiB/s")
    assert [link["text"] for link in detail["links"]] == ["run 1", "run 2"]


def test_a_number_leads_to_its_result_and_its_lines(client: Client, owner: User) -> None:
    runs = compared_runs(owner)

    page = table_of(client, ids(runs))

    cell = page.values("comparison")["File system n = 6 rounds MiB/s, more is better", "xfs", "Write"]
    assert cell.href == f"/runs/{runs[1].id}/results/0/"
    panel = panels_of(client, page)[str(cell.key)]
    assert panel["links"][1] == {"text": "round 1", "href": f"/runs/{runs[1].id}/raw/iozone.txt#L1"}
    assert panel["command"] == "iozone -s 1G -r 1M -i 0"
    assert len(panel["values"]) == 6


def test_what_differs_besides_the_factor_is_listed(client: Client, owner: User) -> None:
    small = environment()
    small["memory"]["total"] = 2 * GIB
    small["kernel"]["release"] = "6.18.0"
    options = {**target("xfs"), "mount": {"options": ["rw", "noatime", "nobarrier"]}, "read_ahead": 128 * KIB}
    runs = compared_runs(owner)
    other = store_run(
        owner, environment=small, target=options, results=[result([1e8] * 3, file_size=32 * GIB, record_size=MIB)]
    )

    page = table_of(client, ids([runs[0], runs[2], other]))

    assert not missing_in(
        page.text,
        "memory 8 GiB (others) 2 GiB (xfs)",
        "read-ahead 2 MiB (others) 128 KiB (xfs)",
        "mount options none of these (others) nobarrier (xfs)",
        "Not only the file system differs: memory",
    )


def test_runs_that_share_nothing_say_so_first(client: Client, owner: User) -> None:
    runs = [*compared_runs(owner)[:1], store_run(owner, results=[result([1.0] * 3, "mkfs", "elapsed", "s")])]

    page = table_of(client, f"{ids(runs)}&test=write")

    assert "Only one of the selected runs is in this table" in page.text
    assert "dashed" not in page.text


def test_runs_that_are_in_no_cell_differ_from_nothing(client: Client, owner: User) -> None:
    shared = {"campaign": campaign()}
    compared_runs(owner, **shared)
    mkfs = {"tool": "iozone", "tool_version": "3.489", "command": ["iozone", "-a"], "parameters": {"auto": True}}
    store_run(owner, results=[result([1.0] * 3, "mkfs", "elapsed", "s")], workload=mkfs, **shared)

    page = table_of(client, f"campaign={shared['campaign']['id']}&test=write")

    assert "Left out: 1 run without a result for what is chosen." in page.text
    assert "What else differs" not in page.text
    assert page.text.count("iozone 3.489 epyc-2 6") == 3  # in the list of runs


def test_what_every_place_has_is_said_of_all(client: Client, owner: User) -> None:
    for name in ("ext4", "xfs", "btrfs"):
        for scheduler in ("none", "bfq"):
            compared_runs(owner, {name: 1e8}, target={**target(name), "scheduler": scheduler})

    page = table_of(client, ids([state.run for state in RunState.objects.all()]) + "&rows=file_system")

    assert "scheduler in one cell none (all) bfq (all)" in page.text


def test_findings_lead_to_the_cells_that_they_rest_on(client: Client, owner: User) -> None:
    page = table_of(client, ids(compared_runs(owner)))

    ids_of_cells = {attributes.get("id") for name, attributes in page.elements if name == "td"}
    links = [attributes for name, attributes in page.elements if name == "a" and "data-cells" in attributes]
    assert "xfs is better than ext4 in both cells" in page.text
    assert links
    for link in links:
        assert (link["href"] or "")[1:] in ids_of_cells
        assert set((link["data-cells"] or "").split()) <= ids_of_cells


def test_nothing_is_said_where_nothing_differs(client: Client, owner: User) -> None:
    page = table_of(client, ids([store_run(owner, results=three_results(3)[:1])]))

    assert missing_in(page.text, "What else differs", "Findings") == ["What else differs", "Findings"]


def test_a_single_row_has_no_verdicts_and_no_legend(client: Client, owner: User) -> None:
    page = table_of(client, ids([store_run(owner)]))

    assert "baseline" not in page.tables["comparison"][1][0].text
    assert "corrected over the whole table" not in page.text


def test_only_marks_that_occur_are_explained(client: Client, owner: User) -> None:
    judged = table_of(client, ids(compared_runs(owner)))
    cached = store_run(owner, rounds=1, results=[result([1e8], "rewrite", file_size=64 * KIB)])
    alone = table_of(client, f"run={cached.id}")

    assert not missing_in(judged.text, "bold: better than all others", "plain: no difference shown", "equal within 5 %")
    assert "RAM: measured memory" not in judged.text
    assert "RAM: measured memory, not the device" in alone.text
    assert missing_in(alone.text, "plain", "bold:") == ["plain", "bold:"]


def test_verdicts_within_one_run_are_said_to_be_so_once(client: Client, owner: User) -> None:
    assert table_of(client, ids(compared_runs(owner))).text.count("Within one run:") == 1


def test_findings_within_one_run_are_said_to_be_so_where_no_cell_has_a_verdict(client: Client, owner: User) -> None:
    sizes = [(4 * KIB, 50e6), (64 * KIB, 60e6), (MIB, 90e6)]
    results = [result(values(mean), file_size=32 * GIB, record_size=size) for size, mean in sizes]
    run = store_run(owner, rounds=6, results=results)

    page = table_of(client, f"run={run.id}&columns=record_size")

    assert "Throughput improves from" in page.text
    assert page.text.count("Within one run:") == 1


def test_a_campaign_is_compared_by_its_id(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    store_run(owner, file_system="zfs", campaign=campaign())

    page = table_of(client, f"campaign={runs[0].campaign_id}&tool=iozone")

    assert [row[0].text for row in page.tables["comparison"][1:]] == ["xfs", "btrfs", "ext4 baseline"]
    assert page.links["xfs"] == f"/runs/{runs[1].id}/"


def test_menus_show_what_was_chosen_and_carry_the_runs(client: Client, owner: User) -> None:
    runs = compared_runs(owner, record_sizes=(64 * KIB, MIB))

    page = table_of(client, ids(runs))

    chosen = [attributes["value"] for tag, attributes in page.elements if tag == "option" and "selected" in attributes]
    assert chosen[:6] == ["ext4", "MiB/s", "file_system", "test", "record_size", "mean"]
    folded = {"rows, then by": "", "columns, then by": "", "split, then by": "", "compared": "file_system"}
    assert chosen[6:] == [*folded.values(), "0.05", "benjamini_hochberg"]
    assert page.fields["run"][: len(runs)] == [str(run.id) for run in runs]
    assert page.fields["test"] == ["write", "read"]


def test_menus_offer_the_labels_and_options_in_which_runs_differ(client: Client, owner: User) -> None:
    both = {**target("ext4"), "mount": {"options": ["rw", "noatime", "barrier=0"]}}
    runs = [store_run(owner, labels={"a,b": "1", "plan": "x"}), store_run(owner, labels={"plan": "x"}, target=both)]

    def offered(page: Page) -> set[str | None]:
        return {attributes["value"] for tag, attributes in page.elements if tag == "option"}

    plain = offered(table_of(client, ids(runs)))
    page = table_of(client, f"{ids(runs)}&rows=label:a%252Cb,mount_option:barrier,kernel")

    assert {"label:a%2Cb", "mount_option:barrier"} <= plain
    assert not {"label:plan", "mount_option:atime"} & plain
    assert {"label:a%2Cb", "mount_option:barrier,kernel"} <= offered(page)
    assert [row[0].text for row in page.tables["comparison"][1:]] == [
        "1 · 6.1.0-28-amd64 baseline",
        "nobarrier · 6.1.0-28-amd64",
    ]


def test_the_form_leads_to_a_short_address(client: Client, owner: User) -> None:
    form = table_of(client, ids(compared_runs(owner))).fields
    sent = {
        "run": form["run"],
        EARLIER_CHOICES: form[EARLIER_CHOICES],
        "rows": "file_system",
        "columns": "test",
        "split": "",
        "unit": "KiB/s",
    }

    answer = client.get("/compare/", {**sent, "test": ["read"]})

    assert answer.status_code == 302
    page = read(client.get(answer["Location"]))
    assert EARLIER_CHOICES not in answer["Location"]
    assert text_at(page, "ext4", "Read").replace("\u202f", "") == "204800 ± 910"
    first, read_head = page.tables["comparison"][0]
    assert (first.text.endswith("KiB/s, more is better"), read_head.text) == (True, "Read")


def test_choosing_another_tool_leaves_open_what_depends_on_it(client: Client, owner: User) -> None:
    run = compared_runs(owner)[0]
    other = store_run(
        owner,
        results=[result([1e8] * 3, "block_write", file_size=GIB)],
        workload={"tool": "bonnie++", "tool_version": "2.00a", "command": ["bonnie++"], "parameters": {}},
    )
    form = table_of(client, ids([run, other])).fields

    answer = client.get(
        "/compare/",
        {"run": form["run"], EARLIER_CHOICES: form[EARLIER_CHOICES], "tool": "bonnie++", "file_size": "32G"},
        follow=True,
    )

    assert text_at(read(answer), "ext4", "Block write").startswith("95.37")


def test_cells_of_runs_that_are_not_computed_yet_wait(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    RunState.objects.filter(pk=runs[0].id).update(state="computing")

    page = table_of(client, ids(runs))

    assert "The statistics of 1 run are still being computed." in page.text
    assert f"/api/v1/runs/{runs[0].id}/state" in [attributes.get("data-poll") for _, attributes in page.elements]


def test_no_answer_is_made_of_values_whose_statistics_wait(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    Summary.objects.filter(run__in=runs).delete()
    RunState.objects.filter(pk__in=runs).update(state="received")

    page = table_of(client, ids(runs))

    assert "The statistics of 3 runs are still being computed." in page.text
    assert "Nothing can be compared with ext4." in page.text
    assert "Geometric means" not in page.text
    assert "The statistics of one side are still being computed." in page.text
    assert "not measured" not in page.text


def test_without_a_selection_it_says_how_to_choose(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    compared_runs(owner, visibility="private")

    page = read(client.get("/compare/"))

    assert page.links["Choose runs"] == "/runs/"
    assert page.links["btrfs, ext4, xfs"] == f"/compare/?campaign={runs[0].campaign_id}&tool=iozone"
    assert len(page.tables["Latest campaigns"]) == 2


def test_no_campaign_no_table_of_campaigns(client: Client, owner: User) -> None:
    store_run(owner)

    assert "Latest campaigns" not in read(client.get("/compare/")).text


@pytest.mark.parametrize(
    ("query", "status", "fault"),
    [
        ("rows=test", 400, "must be three different dimensions"),
        ("rows=kernel", 400, "Choose runs (run=…) or a campaign (campaign=…) to compare."),
        ("run={run}&metric=latency_p99", 400, "No result has metric latency_p99; possible are"),
        ("run={run}&unit=ms", 400, "Throughput cannot be shown in ms; possible are"),
        ("run={run}&baseline=zfs", 400, "Baseline cannot be 'zfs'; possible are ext4."),
        ("run={run}&file_size=3G", 400, "possible are 1G"),
        ("run={unknown}", 404, "There is no run"),
        ("campaign={unknown}", 404, "There is no campaign"),
    ],
)
def test_what_cannot_be_compared_is_said(client: Client, owner: User, query: str, status: int, fault: str) -> None:
    asked = query.format(run=store_run(owner).id, unknown=unknown_id())

    assert fault in table_of(client, asked, status).text


def test_a_deleted_run_leaves_the_rest_of_the_comparison(client: Client, owner: User) -> None:
    kept, deleted, others = (store_run(owner, file_system=name) for name in ("ext4", "xfs", "btrfs"))
    address = f"run={kept.id}&run={deleted.id}&run={others.id}"
    before = table_of(client, address)
    delete_run(deleted)

    with CaptureQueriesContext(connection) as queries:
        page = table_of(client, address)

    assert "deleted or not visible" not in before.text
    assert "Left out: 1 run of this address, deleted or not visible to you." in page.text
    assert [row[0].text.split()[0] for row in page.tables["comparison"][1:]] == ["ext4", "btrfs"]
    with CaptureQueriesContext(connection) as more:
        assert "Left out: 2 runs of this address" in table_of(client, f"{address}&run={unknown_id()}").text
    assert len(more) == len(queries)


def test_a_private_run_of_others_is_left_out_like_a_deleted_one(client: Client, owner: User) -> None:
    run, private = store_run(owner), store_run(owner)
    RunState.objects.filter(pk=private.id).update(visibility="private")

    page = table_of(client, f"run={run.id}&run={private.id}")

    assert "Left out: 1 run of this address, deleted or not visible to you." in page.text
    assert str(private.id) not in [link for link in page.links.values() if "/runs/" in link]


def test_faults_are_escaped(client: Client, owner: User) -> None:
    html = client.get(f"/compare/?run={store_run(owner).id}&baseline=%3Cscript%3Ealert(1)").content.decode()

    assert "alert(1)" in html
    assert "<script>alert" not in html


def test_names_from_outside_are_escaped(client: Client, owner: User) -> None:
    evil = "</script><script>alert(1)</script>"
    runs = [
        store_run(
            owner, file_system=name, machine={"name": evil, "machine_id": "5a" * 32}, artifacts=[], results=failed
        )
        for name in (evil[:60], "ext4")
        for failed in ([result([None] * 3, status="failed", error=evil), result([1.0] * 3, "read")],)
    ]

    html = client.get(f"/compare/?{ids(runs)}").content.decode()

    assert "alert(1)" in html
    assert "<script>alert" not in html


def test_as_many_queries_for_any_number_of_runs(client: Client, owner: User) -> None:
    def queries(runs: list[Any]) -> int:
        with CaptureQueriesContext(connection) as captured:
            table_of(client, ids(runs))
        return len(captured)

    few = compared_runs(owner)
    many = few + [run for _ in range(5) for run in compared_runs(owner)]

    # Five evaluate: the last two find runs with samples, and withdrawn runs. Four ask for what is kept, and keep it.
    assert queries(few) == queries(many) == 9
    assert queries(few) == queries(many) == 2
    assert len(many) == 6 * len(MEANS)
    swept = [surface_run(owner) for _ in range(3)]
    assert queries(swept[:1]) == queries(swept) == 9  # the surfaces are known with the choices


def test_a_large_table_leaves_the_reasons_to_its_panels(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = ids(compared_runs(owner))
    reasons = [found.get("title") for found in verdicts_of(table_of(client, query))]
    monkeypatch.setattr(present, "MOST_EXPLAINED", 5)
    KeptPart.objects.all().delete()

    page = table_of(client, query)

    assert all(reasons)
    assert [found.get("title") for found in verdicts_of(page)] == [None] * len(reasons)
    compared = [dict(panel["facts"]).get("compared") for panel in panels_of(client, page).values()]
    assert set(reasons) <= set(compared)


def verdicts_of(page: Page) -> list[dict[str, str | None]]:
    """The attributes of the verdicts in the table."""
    return [attributes for tag, attributes in page.elements if (attributes.get("class") or "").startswith("verdict ")]


@pytest.mark.parametrize("path", ["/compare/", "/compare/table.json", "/surface/", "/surface/surface.json", "/trend/"])
def test_results_that_go_during_a_request_are_no_error_of_the_server(client: Client, owner: User, path: str) -> None:
    query = f"run={surface_run(owner).pk}"
    assert client.get(f"{path}?{query}").status_code == 200
    Result.objects.all().delete()  # their quantities, which a request reads first, are in another table

    assert client.get(f"{path}?{query}").status_code in (200, 400)
