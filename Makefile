# The work is done by tools/. `make PYTHON=python3.12 …` uses another Python, 3.11 or newer.
PYTHON ?= python3

export DIR  # a name with a quote in it reaches the command as it is

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all test-days coverage test-faults check bench bench-engine bench-inside bench-statistics bench-formats bench-scale bench-pages bench-costs load screenshots secrets compose audit lock sbom release format clean

help:  ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## Virtual environment, Python packages, front end, C engine; again only what changed
	@$(PYTHON) tools/setup.py

demo: setup  ## Measure this machine, store it, compare, share (ONCE=1 stops by itself, DIR=… measures a directory, PORT=…)
	@.venv/bin/python manage.py demo $(if $(ONCE),--once) $(if $(DIR),--directory "$$DIR") $(if $(PORT),--port $(PORT))

test: setup-dev  ## What shows a fault, after installing what that needs: a quarter of an hour; before each commit
	@$(PYTHON) tools/packages.py
	@$(PYTHON) tools/suite.py

test-all: setup-dev  ## The same with the slow tests (tests/tiers.toml): half an hour; before a release
	@$(PYTHON) tools/packages.py
	@$(PYTHON) tools/suite.py --all

test-days: setup-dev  ## The tests as if today were each of six other days (ONLY=2028 for some): an hour
	@$(PYTHON) tools/packages.py
	@.venv/bin/python tools/other_days.py

coverage: setup-dev  ## The same as test-all, and which lines of Python no test ran: half as long again
	@$(PYTHON) tools/packages.py
	@$(PYTHON) tools/suite.py --coverage

test-faults: setup-dev  ## Kills, full disks, services that hang, damaged outputs, invented calls: docs/faults.md; half an hour (ONLY=word for some)
	@$(PYTHON) tools/packages.py
	@test -x .venv/s3/bin/pip || .venv/bin/python -m venv .venv/s3
	@.venv/s3/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/s3.txt
	@.venv/bin/python tools/faults.py

check: setup-dev  ## Formatting, types, import rules, file length: no tests
	@$(PYTHON) tools/check.py

bench: setup-dev  ## The server beside bare COPY, bare SQL, NumPy and an empty view, with 13 million results: ten minutes (QUICK=1: one; ONLY=comparison)
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.server.site $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY))

bench-engine: setup-dev  ## fsload beside iozone and fio: ratios with intervals, ten to thirty quiet minutes
	@$(PYTHON) tools/packages.py
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.engine

bench-inside: setup-dev  ## What happens inside runs, with figures for the docs (ONLY=fio_examples): some minutes
	@$(PYTHON) tools/packages.py
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.inside $(ONLY)

bench-statistics: setup-dev  ## False claims, power, coverage and cost of the statistics, by simulation (ONLY=gates): some minutes
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.statistics $(if $(ONLY),--only $(ONLY))

bench-formats: setup-dev  ## How long and with how much memory outputs are read, beside the least work, and twice the text (ONLY=fio): half an hour
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.formats $(if $(ONLY),--only "$(ONLY)")

bench-scale: setup-dev  ## What pages, uploads and the disk cost with 10,000 to 10 million results (QUICK=1: to 1 million): ten minutes
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.growth $(if $(QUICK),--most 1000)

bench-pages: setup-dev  ## How soon pages are there, what they weigh, what a turning surface costs, in Chromium: five minutes
	@$(PYTHON) tools/packages.py
	@PYTHONPATH=.:agents .venv/bin/python -m tests.bench.pages

bench-costs: setup-dev  ## Processor time, memory, bytes and queries of the twenty most expensive addresses, into docs/cost.md: five minutes
	@.venv/bin/python -m pytest -q -s tests/load/write_costs.py

load: setup-dev  ## A site with 40 readers (READERS=…), 5 agents and 2 importers for ten minutes (MINUTES=…): errors, p99, memory (docs/load.md)
	@test -x .venv/load/bin/pip || .venv/bin/python -m venv .venv/load
	@.venv/load/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/load.txt
	@PYTHONPATH=.:agents .venv/bin/python -m tests.load.site --minutes $(or $(MINUTES),10) --readers $(or $(READERS),40) $(if $(ONLY),--only $(ONLY))

screenshots: setup-dev  ## Every page at 1440 and 360 px, light and dark, into OUT=… (var/screenshots); ONLY=word for some: five minutes
	@$(PYTHON) tools/packages.py
	@BENCHDB_SCREENSHOTS="$(or $(OUT),var/screenshots)" .venv/bin/python -m pytest -q tests/browser/screenshots.py tests/browser/support/first_screens.py -k "$(or $(ONLY),look)"

secrets:  ## What docker-compose.yml needs before its first start (CERTIFICATE=bench.example.org: a self-signed certificate too)
	@deploy/secrets secrets "$(CERTIFICATE)"

compose: setup  ## Start docker-compose.yml in an engine of its own, upgrade, measure, kill, take it down; a quarter of an hour
	@$(PYTHON) -m tools.containers

audit: setup-dev  ## Known weaknesses of the packages that are used; says "not checked" where nobody tells
	@$(PYTHON) tools/audit.py

lock:  ## requirements.txt and requirements/*.txt from requirements/*.in, with hashes (UPGRADE=1 takes newer dependencies)
	@$(PYTHON) tools/lock.py

sbom: setup-dev  ## The packages of server and browser bundle as CycloneDX, into OUT=… (var/sbom)
	@.venv/bin/python tools/sbom.py $(if $(OUT),--out "$(OUT)")

release: setup-dev  ## The files of a release, into OUT=… (var/release): docs/releasing.md
	@.venv/bin/python tools/release.py $(if $(OUT),--out "$(OUT)")

format: setup-dev  ## Bring Python and templates into shape
	@.venv/bin/ruff check --fix --quiet || true
	@.venv/bin/ruff format
	@.venv/bin/djade benchdb/*/templates/*/*.html

clean:  ## Remove what setup and tests made; data in var/ stay
	rm -rf .venv frontend/node_modules frontend/dist frontend/coverage htmlcov .coverage .coverage.* var/test-* var/check
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	$(MAKE) -C agents/engine clean

.PHONY: setup-dev
setup-dev:
	@$(PYTHON) tools/setup.py --dev
