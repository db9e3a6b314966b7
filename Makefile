# make run and make test set up what they need on a machine that has Python 3.11 or newer.

PYTHON ?= python3
PORT ?= 8501
FOLDER ?= $(HOME)/tellwright-site
ARGS ?=

# Leave any other active environment alone.
export UV_PROJECT_ENVIRONMENT := .venv
export UV_PYTHON_DOWNLOADS := never
unexport VIRTUAL_ENV
# The tests start some hundred programs: what is compiled once need not be compiled by each of them.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
STAMP := .venv/.synced
INKJS := inkjs@2.4.0
EXTWEE := extwee@2.3.18
PLAYERS := .tools/node/.$(INKJS)-$(EXTWEE)
UV := $(shell command -v uv 2>/dev/null || echo .tools/bin/uv)

define REQUIRE_PYTHON
$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	echo "Tellwright needs Python 3.11 or newer, and $(PYTHON) is older or missing."; \
	echo "If a newer one has another name here: make $(MAKECMDGOALS) PYTHON=python3.12"; \
	exit 1; }
endef

.DEFAULT_GOAL := help
.PHONY: help setup run serve test check tests formatting lint types layers format browser java node training clean

help:
	@echo "make run     start the app on http://127.0.0.1:$(PORT) (PORT=9000 make run: another port)"
	@echo "make serve   serve it to several writers, who sign in (FOLDER=$(FOLDER); see docs/HOSTING.md)"
	@echo "make test    run every check and every test (ARGS='-k delta' make test: some of them)"
	@echo "make check   formatting, lint, types and layers, without the tests"
	@echo "make format  format the code and fix what lint can"
	@echo "make training  try the recipes for training, in minutes (downloads more than a gigabyte)"
	@echo "make clean   remove the environment, the tools and all caches; stories stay"

setup: $(STAMP)

run: setup
	$(BIN)/streamlit run app.py --server.port $(PORT)

serve: setup
	$(BIN)/tellwright serve --folder $(FOLDER) --port $(PORT)

# The checks come first, or with `make -j2 test`, as in CI, beside the tests.
test: check tests

tests: setup browser java node
	$(BIN)/python -m pytest -n auto --dist loadscope --no-loadscope-reorder $(ARGS)

check: formatting lint layers types

formatting: setup
	$(BIN)/ruff format --check

lint: setup
	$(BIN)/ruff check

layers: setup
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

format: setup
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

browser: setup
	$(BIN)/python -m tests.e2e.find_chromium --install

# The program that checks e-books runs on Java. After Chromium, so that only one installs at a time.
java: browser
	@command -v java >/dev/null || { [ "$$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && \
		apt-get update -q && apt-get install -q -y --no-install-recommends default-jre-headless; } || \
		echo "Java is missing: without it, e-books are not checked (Debian: default-jre-headless)."

# What reads and plays interactive fiction in the tests runs on Node. After Java, as that is after Chromium.
node: java
	@command -v npm >/dev/null || { [ "$$(id -u)" -eq 0 ] && command -v apt-get >/dev/null && \
		apt-get update -q && apt-get install -q -y --no-install-recommends nodejs npm; } || \
		echo "Node is missing: without it, interactive fiction is not played (Debian: nodejs, npm)."
	@[ -e $(PLAYERS) ] || ! command -v npm >/dev/null || { mkdir -p .tools/node && \
		npm install --prefix .tools/node --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
			$(INKJS) $(EXTWEE) && touch $(PLAYERS); }

# Torch and the trainer have an environment of their own: they take more than a gigabyte.
training: setup
	$(UV) venv --quiet --allow-existing --python $(PYTHON) .venv-training
	$(UV) pip install --quiet --python .venv-training/bin/python -r tests/training/requirements.txt
	$(BIN)/python -m pytest -s tests/training/check_recipe.py

clean:
	rm -rf .venv .venv-training .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results

$(STAMP): pyproject.toml | $(UV)
	@$(REQUIRE_PYTHON)
	$(UV) sync --python $(PYTHON)
	@touch $@

.tools/bin/uv:
	@$(REQUIRE_PYTHON)
	@$(PYTHON) -m venv .tools || { \
		echo "$(PYTHON) cannot make an environment. On Debian and Ubuntu: apt-get install python3-venv"; \
		rm -rf .tools; exit 1; }
	.tools/bin/python -m pip install --quiet uv
