"""The URLs of all pages."""

from __future__ import annotations

from django.urls import URLPattern, path, register_converter

from benchdb.alerts import views as alerts
from benchdb.catalog.component_addresses import KindConverter, NameConverter
from benchdb.compare import live
from benchdb.compare.goes_with import views as goes_with_views
from benchdb.compare.kinds import KINDS, AnyKind
from benchdb.compare.latencies import views as latencies_views
from benchdb.compare.permalinks import oembed
from benchdb.compare.permalinks import views as permalinks
from benchdb.components import views as components
from benchdb.exports import views as exports
from benchdb.feeds import views as feeds
from benchdb.ingest import views as ingest
from benchdb.machines import views as machines
from benchdb.plans import again_views
from benchdb.plans import views as plans
from benchdb.publications import views as publications
from benchdb.questions import views as questions
from benchdb.reproductions import views as reproductions
from benchdb.runs import owner_views
from benchdb.runs import views as runs
from benchdb.runs.inside import views as inside
from benchdb.signatures import views as signatures
from benchdb.web.account import key_views
from benchdb.web.account import second_factor_views as second_factor
from benchdb.web.account import views as account_views
from benchdb.web.account.again import asked_again
from benchdb.web.agent import views as agent_views
from benchdb.web.docs.views import docs_page
from benchdb.web.sign_in import address_views as addresses
from benchdb.web.sign_in import oidc_views as oidc
from benchdb.web.sign_in import sign_up_views as sign_up

from . import campaign_pages, run_pages, views

register_converter(KindConverter, "component_kind")
register_converter(NameConverter, "component_name")


def comparison_urls(kind: AnyKind) -> list[URLPattern]:
    """The addresses of a kind of comparison: its page and its files."""
    return [
        path(f"{kind.path}/", live.page_of_query, {"kind": kind.name}, name=kind.path),
        path(f"{kind.path}/{kind.name}.<str:form>", exports.live, {"kind": kind.name}, name=f"{kind.name}-data"),
    ]


# Django tries patterns in order; permalinks come first, because many readers open one at once.
urlpatterns = [
    path("c/<str:permalink_id>/", permalinks.permalink_page, name="permalink"),
    path("c/<str:permalink_id>/embed", permalinks.embed, name="permalink-embed"),
    path("c/<str:permalink_id>/today", permalinks.today_page, name="permalink-today"),
    path("c/<str:permalink_id>/panels", permalinks.panels, name="permalink-panels"),
    path("c/<str:permalink_id>/revoke/", permalinks.revoke, name="permalink-revoke"),
    path("c/<str:permalink_id>/card.png", exports.card, {"form": "png"}, name="permalink-card"),
    path("c/<str:permalink_id>/card.svg", exports.card, {"form": "svg"}, name="permalink-card-svg"),
    path("c/<str:permalink_id>.<str:form>", exports.permalink, name="permalink-data"),
    path("", views.home, name="home"),
    path("runs/", runs.run_list, name="runs"),
    path("runs/feed.atom", feeds.runs, name="runs-feed"),
    path("runs/all/", runs.compare_all, name="runs-all"),
    path("runs/all.json", runs.all_data, name="runs-all-data"),
    path("runs/<uuid:run_id>/", run_pages.run_page, name="run"),
    path("runs/<uuid:run_id>/others/", run_pages.others, name="run-others"),
    path("runs/<uuid:run_id>/published/", run_pages.published, name="run-published"),
    path("runs/<uuid:run_id>/again/", again_views.again, name="run-again"),
    path("runs/<uuid:run_id>/again/plan.toml", again_views.again_plan, name="run-again-plan"),
    path("runs/<uuid:run_id>/edit/", owner_views.edit, name="run-edit"),
    path("runs/<uuid:run_id>/results/<int:ordinal>/", runs.result_page, name="result"),
    path("runs/<uuid:run_id>/results/<int:ordinal>/latencies.<str:form>", runs.latencies_file, name="result-latencies"),
    path("runs/<uuid:run_id>/panels", runs.run_panels, name="run-panels"),
    path("runs/<uuid:run_id>/inside/", inside.inside, name="run-inside"),
    path("runs/<uuid:run_id>/inside.csv", inside.inside_data, name="run-inside-data"),
    path("runs/<uuid:run_id>/inside.svg", inside.inside_picture, name="run-inside-picture"),
    path("runs/<uuid:run_id>/raw/<path:name>", runs.raw_page, name="raw"),
    path("runs/<uuid:run_id>/signed/<str:name>", signatures.file_page, name="run-signed"),
    path("runs/<uuid:run_id>/withdraw/", owner_views.withdraw, name="run-withdraw"),
    path("runs/<uuid:run_id>/reinstate/", owner_views.reinstate, name="run-reinstate"),
    path("runs/<uuid:run_id>/delete/", owner_views.delete, name="run-delete"),
    path("machines/", machines.machine_list, name="machines"),
    path("machines/<int:machine_id>/", machines.machine_page, name="machine"),
    path("<component_kind:kind>/", components.list_page, name="components"),
    path("<component_kind:kind>/<component_name:name>/", components.page, name="component"),
    path("campaigns/", plans.campaign_list, name="campaigns"),
    path("campaigns/feed.atom", feeds.campaigns, name="campaigns-feed"),
    path("campaigns/<uuid:campaign_id>/", campaign_pages.campaign_page, name="campaign"),
    path("campaigns/<uuid:campaign_id>/repeats/<uuid:original_id>/", reproductions.page, name="reproduction"),
    path(
        "campaigns/<uuid:campaign_id>/repeats/<uuid:original_id>.csv", reproductions.csv_file, name="reproduction-csv"
    ),
    path("plans/", plans.queue_page, name="queue"),
    path("plans/new/", plans.plan_new, name="plan-new"),
    path("plans/<uuid:job_id>/", plans.job_page, name="job"),
    path("plans/<uuid:job_id>/cancel/", plans.job_cancel, name="job-cancel"),
    *(url for kind in KINDS.values() for url in comparison_urls(kind)),
    path("watches/", alerts.watch_list, name="watches"),
    path("watches/new/", alerts.watch_new, name="watch-new"),
    path("watches/<uuid:watch_id>/", alerts.watch_page, name="watch"),
    path("watches/<uuid:watch_id>/mute/", alerts.watch_mute, name="watch-mute"),
    path("watches/<uuid:watch_id>/delete/", alerts.watch_delete, name="watch-delete"),
    path("watches/<uuid:watch_id>/feed/<str:key>.atom", alerts.feed, name="watch-feed"),
    path("alerts/<uuid:alert_id>/", alerts.alert_page, name="alert"),
    path("alerts/<uuid:alert_id>/acknowledge/", alerts.alert_acknowledge, name="alert-acknowledge"),
    path("trend/feed.atom", feeds.trend, name="trend-feed"),
    path("compare/latencies/", latencies_views.page_of_query, name="compare-latencies"),
    path("compare/latencies.<str:form>", latencies_views.file_of_query, name="compare-latencies-file"),
    path("compare/goes-with/", goes_with_views.page_of_query, name="compare-goes-with"),
    path("compare/goes-with.<str:extension>", goes_with_views.data_of_query, name="compare-goes-with-data"),
    path("compare/panels", live.panels_of_query, name="compare-panels"),
    *(path(f"questions/{name}/", questions.page, {"name": name}, f"question-{name}") for name in questions.ANSWERS),
    path("questions/<str:name>.<str:form>", questions.data, name="question-data"),
    path("articles/", publications.article_list, name="articles"),
    path("articles/<slug:slug>/", publications.article_page, name="article"),
    path("articles/<slug:slug>.json", publications.article_data, name="article-data"),
    path("articles/<slug:slug>/tables/<slug:key>/beside/", publications.table_beside, name="article-beside"),
    path("articles/<slug:slug>/plan/", publications.plan_page, name="article-plan"),
    path("share/", permalinks.share, name="share"),
    path("oembed", oembed.oembed, name="oembed"),
    path("permalinks/", permalinks.own_permalinks, name="permalinks"),
    path("exports/<str:digest>/state", exports.state, name="export-state"),
    path("import/", ingest.import_new, name="imports"),
    path("import/<uuid:import_id>/", ingest.import_page, name="import"),
    path("import/<uuid:import_id>/discard/", ingest.import_discard, name="import-discard"),
    path("import/<uuid:import_id>/files/<int:number>/", ingest.import_file, name="import-file"),
    path("import/<uuid:import_id>/files/<int:number>/raw", ingest.import_raw, name="import-raw"),
    path("agent/", asked_again(agent_views.agent_page), name="agent"),
    path("agent/benchagent.pyz", agent_views.download, name="agent-file"),
    path("agent/benchagent.pyz.sha256", agent_views.checksum, name="agent-checksum"),
    path("search/", views.search_page, name="search"),
    path("search/suggest/", views.suggestions, name="suggestions"),
    path("api/", views.api_page, name="api-docs"),
    path("docs/", docs_page, {"name": ""}, name="docs"),
    path("docs/<path:name>/", docs_page, name="docs-page"),
    path("account/", account_views.account_page, name="account"),
    path("account/use/", account_views.use_page, name="use"),
    path("account/password/", account_views.PasswordChange.as_view(), name="password"),
    path("account/keys/", key_views.keys_page, name="keys"),
    path("account/keys/<int:key_id>/revoke/", key_views.key_revoke, name="key-revoke"),
    path("account/tokens/<int:token_id>/revoke/", account_views.token_revoke, name="token-revoke"),
    path("account/second-factor/", second_factor.second_factor_page, name="second-factor"),
    path("login/code/", second_factor.login_code, name="login-code"),
    path("login/forgotten/", addresses.forgotten, name="forgotten"),
    path("login/forgotten/<str:uidb64>/<str:token>/", addresses.NewPassword.as_view(), name="new-password"),
    path("account/address/", addresses.address_page, name="address"),
    path("account/address/confirm/", addresses.address_confirm, name="address-confirm"),
    path("login/", account_views.SignIn.as_view(), name="login"),
    path("sign-up/", sign_up.address_page, name="sign-up"),
    path("sign-up/sent/", sign_up.sent_page, name="sign-up-sent"),
    path("sign-up/confirm/", sign_up.confirm, name="sign-up-confirm"),
    path("sign-up/account/", sign_up.account_form, name="sign-up-account"),
    path("login/provider/", oidc.start, name="oidc-start"),
    path("login/provider/callback/", oidc.callback, name="oidc-callback"),
    path("account/provider/connect/", oidc.connect, name="oidc-connect"),
    path("account/provider/disconnect/", oidc.disconnect, name="oidc-disconnect"),
    path("logout/", oidc.SignOut.as_view(), name="logout"),
    path("logout/done/", oidc.signed_out, name="signed-out"),
    path("logout/provider/", oidc.sign_out_there, name="oidc-sign-out"),
    path("status/", runs.status_page, name="status"),
]
