"""The addresses of pages."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path
from django.views.generic import RedirectView

from benchdb.compare import views as compare
from benchdb.runs import views as runs

from . import views

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="runs"), name="home"),
    path("runs/", runs.run_list, name="runs"),
    path("runs/<uuid:run_id>/", runs.run_page, name="run"),
    path("runs/<uuid:run_id>/raw/<path:name>", runs.raw_page, name="raw"),
    path("compare/", compare.table_page, name="compare"),
    path("surface/", compare.surface_page, name="surface"),
    path("share/", compare.share, name="share"),
    path("c/<str:permalink_id>/", compare.permalink_page, name="permalink"),
    path("c/<str:permalink_id>.json", compare.permalink_json, name="permalink-json"),
    path("login/", LoginView.as_view(template_name="web/login.html"), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("healthz", views.healthz, name="healthz"),
]
