# What a developer types; `make help` says what each does. Everything it makes lies in .venv and build.
PYTHON ?= python3.11
BASE ?= main
ARGS ?=
BIN := $(CURDIR)/.venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
UV := $(BIN)/uv --system-certs pip
PROTOS := $(shell find proto tests/proto third_party -name '*.proto')
TESTS := -m "not soak"
SPREAD := --numprocesses 2 --dist loadgroup
export PATH := $(BIN):$(PATH)
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help setup run run-split test check lint breaking fmt bench demo soak proto lock

help: ## Lists the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: build/stubs ## Makes .venv from the locked requirements, and the stubs

run: setup ## Starts everything on this machine: `vallum up $(ARGS)`
	@$(BIN)/vallum up $(ARGS)

run-split: setup ## Starts every service as a process of its own, behind the edge
	@$(BIN)/python tools/split.py $(ARGS)

test: setup ## Runs the tests but the soak tests; ARGS go to pytest
	@$(BIN)/pytest $(TESTS) $(SPREAD) $(ARGS)

check: lint test ## What a change must pass: format, lint, types, imports, contract, tests

lint: setup breaking
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

breaking: setup
	tools/breaking.sh $(BASE)

fmt: setup ## Formats code and protos, and mends what lint can mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/buf format --write

bench: setup ## Measures and writes build/bench.json; ONLY=name measures one thing
	@$(BIN)/python -m tests.bench $(if $(ONLY),--only $(ONLY)) $(ARGS)

demo: setup ## Plays one match through the public API of a fresh `vallum up`
	@$(BIN)/vallum demo $(ARGS)

soak: TESTS := -m soak
soak: SPREAD := --capture=no
soak: test ## Runs the long tests

proto: .venv/installed ## Generates the stubs, and build/openapi.json, anew
	$(BIN)/python tools/stubs.py
	$(BIN)/python tools/openapi.py

lock: .venv/installed ## Pins the requirements again; ARGS=--upgrade takes newer versions
	tools/lock.sh $(ARGS)

.venv/bin/uv: requirements/uv.lock
	$(PIP) --version >/dev/null 2>&1 || $(PYTHON) -m venv .venv
	$(PIP) install --quiet --require-hashes -r requirements/uv.lock
	@touch $@

# uv is fast; pip knows how this machine reaches its package index. Compiled once, as many processes
# start: where PYTHONDONTWRITEBYTECODE is set, each of them would compile all that it imports.
.venv/installed: .venv/bin/uv requirements/dev.lock pyproject.toml clients/python/pyproject.toml
	$(UV) install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements/dev.lock \
	|| $(PIP) install --quiet --require-hashes -r requirements/dev.lock
	$(PIP) install --quiet --no-deps --no-build-isolation -e . -e clients/python
	@echo $(CURDIR)/tests/gen > "$$($(BIN)/python -c 'import site; print(site.getsitepackages()[0])')/vallum_tests.pth"
	@touch $@

build/stubs: .venv/installed tools/stubs.py tools/openapi.py $(PROTOS)
	$(BIN)/python tools/stubs.py
	$(BIN)/python tools/openapi.py
	$(BIN)/python -m compileall -q services clients tests
	@mkdir -p $(@D) && touch $@
