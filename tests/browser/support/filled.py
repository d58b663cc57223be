"""Fills a server's store with objects of every kind, so that pages look as in use."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from benchdb.alerts.models import Notice
from benchdb.alerts.tasks import sweep as sweep_watches
from benchdb.catalog.models import Machine
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke, share
from benchdb.ingest.imports import services as imports
from benchdb.ingest.models import Import, ImportState, Scope
from benchdb.ingest.services import store_document
from benchdb.plans import queue
from benchdb.plans.models import Job
from benchdb.publications.data_files import read
from benchdb.publications.models import PublishedRun
from benchdb.publications.services import load
from benchdb.reproductions.tasks import sweep as sweep_reproductions
from benchdb.runs.models import Run, RunState, State
from benchdb.runs.services import delete_run, withdraw
from benchdb.runs.store.summaries import compute_summaries
from tests.agents.formats.texts import golden
from tests.alerts.watched import confirmed, image, slower, watched
from tests.questions.simulated import configurations, designed_campaign
from tests.reproductions.measured import store_measured
from tests.runs.distributions.sent import FAST, with_distributions
from tests.runs.inside.samples import whole_document
from tests.signatures.signing import make_key, registered_key, signed
from tests.support.campaigns import (
    campaign_document,
    ended,
    make_machine,
    of_point,
    queue_tiny,
    skipped,
    store_campaign,
)
from tests.support.comparing.comparisons import campaign, compared_runs, fine_run, ids, surface_run
from tests.support.comparing.responses import response_runs
from tests.support.comparing.sampled import sampled
from tests.support.comparing.trends import NEW, on_kernel, upgraded
from tests.support.documents import (
    GIB,
    KIB,
    MIB,
    artifact,
    document,
    encoded,
    environment,
    iozone_document,
    output_document,
    target,
)
from tests.support.imports import BONNIE, IOZONE, GivenFile, begun, given, mmtests_files, stored, tar
from tests.support.store import make_token, make_user, store_run
from tests.support.stores.kept import kept

ARTICLES = ("iozone-2009", "ffsb-2007", "t2-2008")
HOSTILE = "<script>alert('x')</script>"
LONG = "a-name-without-any-place-to-break-" * 5  # wider than a phone

LONG_DISK = f"{HOSTILE} {LONG[:150]}"
# The names of components in addresses.
COMPONENTS = {"file_system": "ext4", "kernel": "6.1.0-28-amd64", "raid": "raid6-128K", "tool": "iozone"}
COMPONENTS |= {"hostile_disk": quote(LONG_DISK)}


def fill(articles: Sequence[str] = ARTICLES) -> dict[str, str]:
    """Store everything. Returns ids by the names in `pages.CASES`. The users are `ada` and `root`."""
    return kept("-".join(["everything", *articles]), lambda: _stored(articles))


def _stored(articles: Sequence[str]) -> dict[str, str]:
    root, ada = make_user("root", is_staff=True, is_superuser=True), make_user("ada")
    for user in (root, ada):
        TOTPDevice.objects.create(user=user, name="app", confirmed=user == root)
    for slug in articles:
        load(read(slug))
    published = PublishedRun.objects.filter(publication__slug="iozone-2009").order_by("run_id")[0]
    records = {
        **_questions(ada),
        **_reproductions(ada),
        **_runs(ada),
        **_permalinks(ada),
        **_plans(ada),
        **_imports(ada),
        **_signed(ada),
        **_alerts(ada),
        "published": str(published.run_id),
    }
    return {**records, **COMPONENTS}


def _runs(ada: User) -> dict[str, str]:
    """Runs in every state; the oldest first, so that lists have them last."""
    directory, machine = {**target(), "kind": "directory"}, {"name": "epyc-9", "machine_id": "9a" * 32}
    alone = store_run(ada, campaign=campaign(), labels={"plan": "directory"}, target=directory, machine=machine)
    days = upgraded(ada, machine={"name": "epyc-7", "machine_id": "7a" * 32})
    withdrawn, deleted, computing = (store_run(ada, file_system=name) for name in ("jfs", "ntfs", "btrfs"))
    withdraw(withdrawn, "The disk was failing: " + HOSTILE)
    gone = str(deleted.pk)
    delete_run(deleted)
    RunState.objects.filter(pk=computing.pk).update(state=State.COMPUTING)
    fine = fine_run(ada)
    fio = store_run(ada, _job_file())
    latencies = store_run(
        ada, with_distributions([FAST, {2 * at: count for at, count in FAST.items()}] * 3, series=sampled())
    )
    slow = [{4 * at: count for at, count in each.items()} for each in (FAST, {at + 300: FAST[at] for at in FAST})]
    busier = sampled(
        device_flushes=4198.0, device_writes=5120.0, cpu_system=9.0, memory_dirty=0.0, temperature_cpu=71.0
    )
    slower = store_run(ada, with_distributions(slow * 3, target=target("xfs"), series=busier))
    grids = [surface_run(ada, rounds=4, factor=2, file_system="xfs"), surface_run(ada, rounds=4)]
    runs = compared_runs(ada, record_sizes=(64 * KIB, MIB))
    run = store_run(ada, iozone_document(visibility="public"))
    inside = store_run(ada, whole_document())
    return {
        "run": str(run.id),
        "alone": str(alone.id),
        "hostile": str(_hostile(ada).id),
        "day": str(days[0].id),
        "changed": str(days[0].machine_id),
        "withdrawn": str(withdrawn.id),
        "deleted": gone,
        "computing": str(computing.id),
        "compared": ids(runs),
        "grids": ids(grids),
        "levels": ids(response_runs(ada)),
        "grid": str(grids[1].id),
        "fine": str(fine.id),
        "fio": str(fio.id),
        "latencies": str(latencies.id),
        "inside": str(inside.id),
        "slower": str(slower.id),
    }


def _job_file() -> dict[str, Any]:
    """A run of a job file that can be in no plan from a server."""
    output = output_document(
        golden("fio-json_plus.json"), "fio.json", media_type="application/json", visibility="public"
    )
    text = f"[global]\nfilename=/dev/{LONG}\nexec_prerun=echo {HOSTILE}\n[a]\nrw=read\n"
    output["artifacts"].append(artifact("files/jobs/a.fio", text))
    output["workload"]["parameters"] = {
        "job_file": "jobs/a.fio",
        "job_file_sha256": hashlib.sha256(text.encode()).hexdigest(),
    }
    return output


def _hostile(ada: User) -> Run:
    """A run with names that are markup, or wider than a phone."""
    storage, hardware = target("ext4"), environment()
    hardware["cpu"]["model"], hardware["block_devices"][0]["model"] = LONG, HOSTILE
    storage["mount"]["options"] = ["rw", LONG, HOSTILE]
    storage["stack"][1]["model"] = LONG_DISK
    names = {"machine": {"name": HOSTILE, "machine_id": "6b" * 32}, "labels": {"plan": HOSTILE, "patch": LONG}}
    return store_run(ada, environment=hardware, target=storage, **names)


def _permalinks(ada: User) -> dict[str, str]:
    # Each permalink has runs of its own, because the pages of one case must not depend on another.
    table = share(ada, "table", ids(compared_runs(ada)))[0]
    gone = share(ada, "table", ids(compared_runs(ada)[:2]))[0]
    surface = share(ada, "surface", f"run={surface_run(ada, rounds=4).id}")[0]
    days = upgraded(ada, machine={"name": "epyc-8", "machine_id": "8a" * 32})
    trend = share(ada, "trend", f"run={days[0].id}")[0]
    response = share(ada, "response", ids(response_runs(ada)))[0]
    sampled_runs = [
        store_run(ada, with_distributions([FAST] * 6, target=target(name), series=sampled(**changed)))
        for name, changed in (("ext4", {}), ("xfs", {"device_flushes": 4198.0, "temperature_cpu": 71.0}))
    ]
    with_samples = share(ada, "table", ids(sampled_runs))[0]
    revoke(ada, gone.pk)
    article = Permalink.objects.exclude(owner=ada).order_by("pk").first()
    assert article is not None, "articles bring permalinks of their tables"
    links = {
        "table": table,
        "revoked": gone,
        "surface": surface,
        "trend": trend,
        "response": response,
        "sampled_table": with_samples,
        "article_table": article,
    }
    return {name: link.pk for name, link in links.items()}


def _plans(ada: User) -> dict[str, str]:
    """A campaign with a point that has a run, one that failed, one that was skipped, and one that is missing."""
    reason = "mkfs.xfs is not installed (Debian package: xfsprogs)"
    announced = ended(skipped(campaign_document(), 3, reason), "failed", failed=1, skipped=1, missing=1, measured=1)
    campaign = store_campaign(ada, announced)
    store_run(ada, campaign=of_point(campaign.pk, "ext4/iozone"))
    machine = make_machine(ada)
    queue.listen(ada, machine.machine_id, machine.name, "0.2.0")
    ended_job, running = _ended(machine), _claimed(machine)
    progress = {"point": "directory/fsload", "round": "2", "share": 0.4, "left": 95.0}
    queue.report(ada, running.pk, running.lease, progress, None)
    records = {
        "campaign": campaign,
        "machine": machine,
        "ended": ended_job,
        "running": running,
        "waiting": queue_tiny(machine),
    }
    return {name: str(record.pk) for name, record in records.items()}


def _reproductions(ada: User) -> dict[str, str]:
    """A plan on machines that are alike and on one that is not, where one conclusion does not hold."""
    other = {"ext4": 300.0, "xfs": 250.0, "btrfs": 304.0}
    campaigns = {
        "hidden": store_measured(ada, "epyc-11", visibility="private"),
        "original": store_measured(ada, "epyc-12"),
        "like": store_measured(ada, "epyc-13"),
        "repetition": store_measured(ada, "xeon-4", other, memory=32 * GIB),
    }
    sweep_reproductions()
    return {name: str(campaign.pk) for name, campaign in campaigns.items()}


def _questions(ada: User) -> dict[str, str]:
    """Configurations on several machines, one of them on a single one; and a designed campaign."""
    configurations(ada, 6, {"ext4": 0.0, "xfs": 0.2, "f2fs": 0.201, "btrfs": -0.4})
    configurations(ada, 1, {HOSTILE: 0.1})
    return {"best": "tool=iozone&test=random_write", "designed": f"campaign={designed_campaign(ada)}"}


def _signed(ada: User) -> dict[str, str]:
    """A run signed by a key of its owner."""
    content = document(visibility="public")
    token, _ = make_token(ada, Scope.UPLOAD)
    with TemporaryDirectory() as directory:
        path = make_key(Path(directory))
        key = registered_key(ada, "agent on epyc-2", path)
        body = encoded(content)
        store_document(token, UUID(content["run_id"]), body, signed(path, body))
        compute_summaries(UUID(content["run_id"]))
    return {"signed": content["run_id"], "key": str(key.pk)}


def _alerts(ada: User) -> dict[str, str]:
    """A watch with a confirmed alert that was sent, and one whose alert waits for more days."""
    place = {"machine": {"name": "epyc-5", "machine_id": "5e" * 32}}
    alert = confirmed(ada, webhook="https://hook.example.org/benchdb", place=place)
    Notice.objects.update(attempts=2, failure="The answer was 503.")
    kernel = {"machine": {"name": "epyc-6", "machine_id": "6e" * 32}, "target": image("relatime")}
    other = watched(ada, place=kernel, name=HOSTILE)
    slower(ada, count=3, level=97, environment=on_kernel(NEW), **kernel)
    sweep_watches()
    records = {"watch": alert.watch, "alert": alert, "suspected": other.alerts.get()}
    return {**{name: str(record.pk) for name, record in records.items()}, "feed_key": alert.watch.feed_key}


def _ended(machine: Machine) -> Job:
    job = _claimed(machine)
    return queue.finish(job.owner, job.pk, job.lease, "failed", "No space left on device", None)


def _claimed(machine: Machine) -> Job:
    """A new tiny plan, claimed by the machine's agent."""
    queue_tiny(machine)
    job = queue.claim(machine)
    assert job is not None
    return job


def _imports(ada: User) -> dict[str, str]:
    """Drafts in every state, and a token."""
    ready = begun(ada, *given(IOZONE, BONNIE))
    kernels = {
        **mmtests_files("before"),
        **mmtests_files("before", iteration=1),
        **mmtests_files("after", "6.1.0-40-amd64"),
    }
    of_mmtests = begun(ada, GivenFile("log.tar.gz", tar(kernels)))
    refused = begun(ada, GivenFile("notes.txt", b"what we did on Tuesday"))
    reading = imports.begin(ada, given(BONNIE))
    Import.objects.filter(pk=reading.pk).update(state=ImportState.READING)
    done = stored(begun(ada, *given(BONNIE)))
    token = make_token(ada, Scope.READ)[0]
    records = {
        "ready": ready,
        "of_mmtests": of_mmtests,
        "refused": refused,
        "reading": reading,
        "stored": done,
        "token": token,
    }
    return {name: str(record.pk) for name, record in records.items()}
