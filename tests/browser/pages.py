"""All pages, each with an address that has content. A new name in `urls` goes into one of the two lists."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One page for one reader. `path` names objects that `tests.browser.support.filled` stored: `/runs/{run}/`."""

    name: str
    view: str  # the name of the address in `urls`; "" for pages that no view makes
    path: str
    reader: str = ""  # the signed-in user: "ada" owns everything, "root" is staff
    chart: bool = False  # whether Plotly draws on it
    status: int = 200

    @property
    def needs_nothing(self) -> bool:
        """Whether the page exists on a server without runs."""
        return "{" not in self.path and self.view not in ("article", "article-plan") and self.status == 200


CASES = (
    Case("home", "home", "/"),
    Case("home, signed in", "home", "/", "ada"),
    Case("runs", "runs", "/runs/"),
    Case("runs, signed in", "runs", "/runs/", "ada"),
    Case("runs, filtered", "runs", "/runs/?file_system=ext4&file_system=xfs&tool=iozone&q=epyc", "ada"),
    Case("runs, none found", "runs", "/runs/?q=nothing"),
    Case("run", "run", "/runs/{run}/"),
    Case("run, owner", "run", "/runs/{run}/", "ada"),
    Case("run, with all there can be", "run", "/runs/{hostile}/", "ada"),
    Case("run, percentiles", "run", "/runs/{fio}/"),
    Case("run, small page of sizes", "run", "/runs/{run}/?size=64K&unit=KiB/s"),
    Case("run, computing", "run", "/runs/{computing}/"),
    Case("run, withdrawn", "run", "/runs/{withdrawn}/"),
    Case("run, published", "run", "/runs/{published}/"),
    Case("run, deleted", "run", "/runs/{deleted}/", status=410),
    Case("run, not there", "run", "/runs/01900000-0000-7000-8000-000000000000/", status=404),
    Case("runs like it elsewhere", "run-others", "/runs/{run}/others/"),
    Case("run it again", "run-again", "/runs/{run}/again/", "ada"),
    Case("edit a run", "run-edit", "/runs/{run}/edit/", "ada"),
    Case("machines", "machines", "/machines/"),
    Case("machines, signed in", "machines", "/machines/", "ada"),
    Case("machine", "machine", "/machines/{machine}/"),
    Case("machine, owner", "machine", "/machines/{machine}/", "ada"),
    Case("machine that changed", "machine", "/machines/{changed}/"),
    Case("file systems", "components", "/file-systems/"),
    Case("RAID layouts", "components", "/raid/"),
    Case("file system", "component", "/file-systems/{file_system}/"),
    Case("kernel", "component", "/kernels/{kernel}/"),
    Case("disk with a long name", "component", "/disks/{hostile_disk}/", "ada"),
    Case("RAID layout", "component", "/raid/{raid}/"),
    Case("tool", "component", "/tools/{tool}/", "ada"),
    Case("component, not there", "component", "/file-systems/nothing/", status=404),
    Case("result", "result", "/runs/{run}/results/0/"),
    Case("result, failed", "result", "/runs/{hostile}/results/1/"),
    Case("raw output", "raw", "/runs/{run}/raw/iozone.txt"),
    Case("withdraw", "run-withdraw", "/runs/{run}/withdraw/", "ada"),
    Case("delete", "run-delete", "/runs/{run}/delete/", "ada"),
    Case("labels", "run-edit", "/runs/{hostile}/edit/", "ada"),
    Case("run again", "run-again", "/runs/{run}/again/"),
    Case("run again, published", "run-again", "/runs/{published}/again/"),
    Case("same workload elsewhere, none", "run-others", "/runs/{published}/others/"),
    Case("campaigns", "campaigns", "/campaigns/"),
    Case("campaign", "campaign", "/campaigns/{campaign}/"),
    Case("campaign, owner", "campaign", "/campaigns/{campaign}/", "ada"),
    Case("campaigns of a machine", "campaigns", "/campaigns/?machine={machine}", "ada"),
    Case("campaign, failed points", "campaign", "/campaigns/{campaign}/?state=failed"),
    Case("queued plans", "queue", "/plans/", "ada"),
    Case("queue a plan", "plan-new", "/plans/new/?plan=directory", "ada"),
    Case("plan, waiting", "job", "/plans/{waiting}/", "ada"),
    Case("plan, running", "job", "/plans/{running}/", "ada"),
    Case("plan, failed", "job", "/plans/{ended}/", "ada"),
    Case("queue a run's plan", "plan-new", "/plans/new/?again={run}", "ada"),
    Case("compare, nothing chosen", "compare", "/compare/"),
    Case("comparison", "compare", "/compare/?{compared}"),
    Case("comparison, owner", "compare", "/compare/?{compared}", "ada"),
    Case("comparison, cell chosen", "compare", "/compare/?{compared}&cell=0-1-0"),
    Case("comparison, different in everything", "compare", "/compare/?run={hostile}&run={run}&run={published}"),
    Case("comparison, mixed cells", "compare", "/compare/?run={hostile}&run={run}&run={published}&rows=cache"),
    Case("comparison, impossible", "compare", "/compare/?{compared}&rows=nonsense", status=400),
    Case("surface", "surface", "/surface/?run={run}&test=read", chart=True),
    Case("fine surface", "surface", "/surface/?run={fine}&test=write", chart=True),
    Case("two surfaces", "surface", "/surface/?{grids}", chart=True),
    Case("surface, nothing chosen", "surface", "/surface/", status=400),
    Case("trend", "trend", "/trend/?run={day}"),
    Case("trend, nothing chosen", "trend", "/trend/", status=400),
    Case("articles", "articles", "/articles/"),
    Case("article with verdicts", "article", "/articles/iozone-2009/"),
    Case("article without spreads", "article", "/articles/ffsb-2007/"),
    Case("article without figures", "article", "/articles/t2-2008/"),
    Case("article's plan", "article-plan", "/articles/iozone-2009/plan/"),
    Case("permalink", "permalink", "/c/{table}/"),
    Case("permalink, owner", "permalink", "/c/{table}/", "ada"),
    Case("permalink of an article", "permalink", "/c/{article_table}/"),
    Case("permalink to a surface", "permalink", "/c/{surface}/", chart=True),
    Case("permalink to a trend", "permalink", "/c/{trend}/"),
    Case("permalink, revoked", "permalink", "/c/{revoked}/", status=410),
    Case("permalink, not there", "permalink", "/c/aaaaaaaaaaaaaaaa/", status=404),
    Case("embedded table", "permalink-embed", "/c/{table}/embed"),
    Case("embedded surface", "permalink-embed", "/c/{surface}/embed"),
    Case("embedded trend", "permalink-embed", "/c/{trend}/embed"),
    Case("what a trend's permalink says today", "permalink-today", "/c/{trend}/today"),
    Case("what a permalink says today", "permalink-today", "/c/{table}/today"),
    Case("revoke a permalink", "permalink-revoke", "/c/{table}/revoke/", "ada"),
    Case("own permalinks", "permalinks", "/permalinks/", "ada"),
    Case("import", "imports", "/import/", "ada"),
    Case("import, ready", "import", "/import/{ready}/", "ada"),
    Case("import, refused", "import", "/import/{refused}/", "ada"),
    Case("import, reading", "import", "/import/{reading}/", "ada"),
    Case("import, stored", "import", "/import/{stored}/", "ada"),
    Case("imported file", "import-file", "/import/{ready}/files/0/", "ada"),
    Case("imported raw text", "import-raw", "/import/{ready}/files/0/raw", "ada"),
    Case("API", "api-docs", "/api/"),
    Case("agent", "agent", "/agent/"),
    Case("agent, signed in", "agent", "/agent/", "ada"),
    Case("account", "account", "/account/", "ada"),
    Case("password", "password", "/account/password/", "ada"),
    Case("revoke a token", "token-revoke", "/account/tokens/{token}/revoke/", "ada"),
    Case("search", "search", "/search/?q=epyc", "ada"),
    Case("search, none found", "search", "/search/?q=nothing+like+it"),
    Case("sign in", "login", "/login/"),
    Case("status", "status", "/status/", "root"),
    Case("not found", "", "/nowhere/", status=404),
    Case("server error", "", "/fails/", status=500),
    Case("not allowed", "", "/forbidden/", status=403),
)

# Names of addresses that are not pages of ours, with the kind of their answer.
NO_PAGE = {
    "run-again-plan": "a TOML file",
    "runs-all": "leads to the comparison of the runs that match",
    "runs-all-data": "data",
    "run-published": "leads to the comparison with an article (tests/publications/test_beside.py)",
    "article-beside": "leads to the comparison with own runs (tests/publications/test_beside.py)",
    "article-data": "data",
    "run-reinstate": "POST only; leads back to the run",
    "job-cancel": "POST only; leads back to the plan",
    "table-data": "data",
    "surface-data": "data",
    "trend-data": "data",
    "permalink-data": "data",
    "permalink-panels": "data",
    "compare-panels": "data",
    "share": "POST leads to the permalink; asks first if runs are private (tests/compare/permalinks/test_services.py)",
    "export-state": "data",
    "import-discard": "POST only; leads back to the form",
    "agent-file": "the agent's file",
    "agent-checksum": "its checksum",
    "logout": "POST only; leads to the list of runs",
}
