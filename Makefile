# All commands. `make run` and `make test` work as the first one on a fresh machine.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules
unexport PYTHONDONTWRITEBYTECODE # without stored bytecode, every process of the tests compiles the source again

VENV := .venv
BIN := $(VENV)/bin
SYSTEM_PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
HOST ?= 127.0.0.1
PORT ?= 8000
ON_FILES := env -u DATABASE_URL -u REDIS_URL $(BIN)/python
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header $(ARGS)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# -- setup -----------------------------------------------------------------------------------------

PIP = $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --require-hashes
# uv takes a fifth of pip's time; pip does it where uv cannot, as with an index that only pip is told of.
# Where no package needs uv, it is there for that time alone.
INSTALL = uv=$(BIN)/uv; test -x $$uv || uv=$(VENV)/installer/bin/uv; \
	test -x $$uv || $(PIP) --target $(VENV)/installer -r requirements/installer.txt; \
	$$uv pip install --quiet --require-hashes --python $(BIN)/python -r $< || $(PIP) -r $<; rm -rf $(VENV)/installer

.PHONY: setup
setup: $(VENV)/.installed ## Create the virtual environment, install all dependencies, compile the engines
	@$(MAKE) compile

$(VENV)/bin/python:
	@$(SYSTEM_PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	@$(SYSTEM_PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.txt | $(VENV)/bin/python
	@echo "Installing what the server needs into $(VENV) (once) …"
	@$(INSTALL)
	@touch $@

$(VENV)/.installed: requirements/dev.txt | $(VENV)/bin/python
	@echo "Installing all dependencies into $(VENV) (once) …"
	@$(INSTALL)
	@touch $(VENV)/.runtime $@ # the other lock file is a part of this one

$(VENV)/.bench: requirements/bench.txt | $(VENV)/.installed
	@echo "Installing what the benchmarks compare with …"
	@$(INSTALL)
	@touch $@

$(VENV)/.adapters: requirements/adapters.txt | $(VENV)/.installed
	@echo "Installing PettingZoo and OpenSpiel, for the tests of the adapters …"
	@$(INSTALL)
	@touch $@

$(VENV)/.oracles: requirements/oracles.txt | $(VENV)/.installed
	@echo "Installing Go, whose Merkle trees and signed notes are compared with the record's …"
	@$(INSTALL)
	@touch $@

$(VENV)/.release: requirements/release.txt | $(VENV)/.installed
	@echo "Installing what lists the packages of a release …"
	@$(INSTALL)
	@touch $@

$(VENV)/.generators: requirements/generators.txt | $(VENV)/.installed
	@echo "Installing openapi-generator, a Java runtime and Go …"
	@$(INSTALL)
	@touch $@

.PHONY: compile
compile: $(VENV)/.runtime ## Compile the engines and the search with mypyc, if there is a C compiler
	@$(BIN)/python -m config.engine_compiler

# -- usage -----------------------------------------------------------------------------------------

.PHONY: run
run: $(VENV)/.runtime ## Run the whole server on http://127.0.0.1:8000; needs no other service (HOST=, PORT=)
	@exec $(BIN)/python manage.py serve --compile --host $(HOST) --port $(PORT) $(ARGS)

.PHONY: play
play: compile ## Play a game in the terminal: make play GAME=law_of_the_dice
	@$(BIN)/python manage.py play $(GAME) $(ARGS)

.PHONY: demo
demo: compile ## Let bots play each game and watch the logs grow
	@exec $(BIN)/python manage.py demo $(ARGS)

# -- checks ----------------------------------------------------------------------------------------

.PHONY: test
test: setup ## The tests of the check: core, what differs by store, rules that changed, smoke; or all tests of ONLY=path
	@$(MAKE) --keep-going $(if $(ONLY),all-on-files all-on-servers,$(ROUNDS))

ROUNDS := test-core test-stores test-rules test-smoke
PROCESSES ?= $(shell n=$$(getconf _NPROCESSORS_ONLN); echo $$(( n < 2 ? 2 : n > 7 ? 7 : n )))
UNMIXED := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
SHARED := --numprocesses=$(PROCESSES) --dist=loadfile --no-loadscope-reorder
RESULTS = --junitxml=build/junit/$@.xml $(PATIENT)
PATIENT := -o faulthandler_timeout=200 # seconds, thirty times those of the longest test of the check
.PHONY: $(ROUNDS) all-on-files all-on-servers
test-core:
	@$(ON_FILES) -m pytest $(SHARED) --lane=core $(RESULTS) $(ARGS)
test-stores:
	@$(ON_FILES) -m tests.support.servers $(SHARED) --lane=core -m stores $(RESULTS) $(ARGS)
test-rules:
	@$(ON_FILES) -m tests.support.proofs --changed-rules $(SHARED) $(ARGS)
test-smoke:
	@$(ON_FILES) -m tests.support.smoke $(RESULTS) $(ARGS)
all-on-files:
	@$(ON_FILES) -m pytest $(SHARED) $(ONLY) $(ARGS)
all-on-servers:
	@$(ON_FILES) -m tests.support.servers $(SHARED) -m storing $(ONLY) $(ARGS) || [ $$? -eq 5 ] # 5: none stores

.PHONY: proofs
proofs: setup $(VENV)/.adapters $(VENV)/.oracles $(VENV)/.release chromium ## What the check leaves out: the proofs that are due, or those that ARGS names (ARGS=--due lists)
	@$(ON_FILES) -m tests.support.proofs $(SHARED) $(ARGS)

.PHONY: lint
lint: $(VENV)/.installed ## Format, lint and import contracts
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/ruff check --quiet
	@PYTHONPATH=clients/python/src $(BIN)/lint-imports --no-logo

.PHONY: types
types: $(VENV)/.installed ## Types (mypy --strict)
	@$(BIN)/mypy

.PHONY: quick
quick: setup ## Lint, types, and the tests of the core nearest to the change, in a minute (ARGS="--since REV --seconds N")
	@$(MAKE) lint types
	@$(ON_FILES) -m tests.support.quick $(SHARED) $(ARGS)

.PHONY: check check-sources
check: $(VENV)/.installed ## Everything that CI runs: lint, types and tests; then the proofs that are due
	@$(MAKE) --jobs=2 $(UNMIXED) compile check-sources
	@$(MAKE) test
	@$(ON_FILES) -m tests.support.proofs --due
check-sources: lint types

UNHURRIED := -o faulthandler_timeout=0
.PHONY: soak
soak: setup $(VENV)/.adapters $(VENV)/.oracles $(VENV)/.release ## Run the long tests: tens of thousands of games, slow builds
	@$(ON_FILES) -m pytest --soak $(UNHURRIED) $(ARGS)
	@$(ON_FILES) -m tests.support.servers --soak $(UNHURRIED) -m storing $(ARGS)

.PHONY: repeat
repeat: setup ## Repeat the tests of the core in random order, with other deals, under load (ARGS="--times 10 --load 2")
	@$(ON_FILES) -m tests.support.repeat $(ARGS)

.PHONY: size
size: setup ## Compare every request on a store of 12 million entries with an empty one (an hour; ARGS="--games 20000")
	@$(BIN)/python -m tests.size $(ARGS)

.PHONY: crowd
crowd: setup ## Play 2,000 games at once with scripted people and bots on two hosts, faults included (needs root; ARGS="--games 60 --at-once 60")
	@$(ON_FILES) -m tests.crowd $(ARGS)

.PHONY: bench
bench: setup $(VENV)/.bench ## Run the benchmarks, each as a ratio to a peer in the same run; writes bench/latest.json
	@$(BIN)/python -m bench $(ARGS)

.PHONY: balance
balance: setup ## Measure how fair the rules are: bots play all variants at all numbers of seats; writes docs/balance.md (hours; goes on where it stopped)
	@$(ON_FILES) manage.py balance --keep --skill 200 $(ARGS)
	@$(ON_FILES) manage.py balance_report

.PHONY: golden
golden: setup ## Rewrite the golden games of one game: make golden GAME=law_of_the_dice, or the file of a game
	@$(BIN)/python -m tests.golden $(GAME)

.PHONY: openapi
openapi: setup ## Rewrite api/openapi.yaml, its examples and its level, which differs from the released one if the API does
	@$(ON_FILES) -m tests.api.examples
	@$(ON_FILES) manage.py raise_api_level
	@$(ON_FILES) -m tests.api.examples # the examples state the level
	@$(ON_FILES) manage.py spectacular --file api/openapi.yaml --fail-on-warn --validate
	@$(MAKE) clients

.PHONY: clients
clients: $(VENV)/.installed ## Rewrite the generated parts of clients/ from api/openapi.yaml (make openapi does too)
	@$(BIN)/python clients/python/generate.py
	@$(BIN)/python clients/typescript/generate_operations.py

.PHONY: lint-openapi
lint-openapi: ## Lint api/openapi.yaml with Spectral and Redocly, which npm installs (needs Node)
	@cd api/linters && npm ci --silent --ignore-scripts
	@cd api/linters && npx spectral lint ../openapi.yaml --ruleset spectral.yaml --fail-severity=hint
	@cd api/linters && npx redocly lint ../openapi.yaml --config redocly.yaml --format=summary

.PHONY: generators
generators: setup $(VENV)/.generators ## Try clients of four generators, each with a whole game of every ruleset (needs Node)
	@cd tests/generators && npm ci --silent --ignore-scripts
	@PYTHONPATH=clients/python/src $(ON_FILES) -m tests.generators

.PHONY: typescript
typescript: setup ## Test the TypeScript client and its documentation on a server, check the pages' scripts (needs Node)
	@cd clients/typescript && npm ci --silent --ignore-scripts && npm run --silent types:check && npm run --silent build
	@clients/typescript/node_modules/.bin/tsc --project web/tsconfig.json
	@$(ON_FILES) -m pytest --quiet tests/web/test_lean.py
	@mkdir -p build && $(ON_FILES) -m tests.docs.export_samples build/exports.ndjson
	@TABULARIUM_EXPORTS=$(CURDIR)/build/exports.ndjson $(ON_FILES) -m tests.support.with_server npm --prefix clients/typescript test

.PHONY: chromium
chromium: ## Install Debian's Chromium for the tests in a browser, where there is none (needs root)
	@command -v "$${TABULARIUM_CHROMIUM:-chromium}" > /dev/null || { test "$$(id -u)" = 0 \
		&& apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends chromium; } \
		|| { echo "Chromium is missing: install the package chromium, or name a browser in TABULARIUM_CHROMIUM" >&2; exit 1; }

.PHONY: browser
browser: setup chromium ## Run the tests in a real browser
	@$(ON_FILES) -m pytest tests/browser tests/web/browser $(ARGS)

.PHONY: monitoring
monitoring: setup ## Try the alert rules in Prometheus, and install Debian's where there is none (needs root)
	@command -v promtool > /dev/null || { apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends prometheus; }
	@$(ON_FILES) -m pytest tests/config/test_monitoring.py $(ARGS)

.PHONY: wheels
wheels: $(VENV)/.installed ## Build the wheels of tabularium_engines and tabularium_log into build/wheels, compiled if there is a C compiler
	@$(BIN)/python -m release.wheels $(ARGS)

.PHONY: release
release: $(VENV)/.release ## Build the version into build/release: wheels, sources, clients, SBOM, checksums, notes (needs npm)
	@$(BIN)/python -m release $(ARGS)

.PHONY: docs
docs: $(VENV)/.installed ## Build the documentation site into build/site; a broken link fails
	@$(BIN)/python docs/site.py

# -- maintenance -----------------------------------------------------------------------------------

.PHONY: format
format: $(VENV)/.installed ## Format the source and apply lint fixes
	@$(BIN)/ruff format --quiet
	@$(BIN)/ruff check --quiet --fix

.PHONY: lock
lock: $(VENV)/.installed ## Resolve the dependencies into requirements/ again (ARGS=--upgrade: to the newest)
	@$(LOCK) pyproject.toml --extra png -o requirements/runtime.txt > /dev/null
	@$(LOCK) pyproject.toml --extra png --extra traces -o requirements/traces.txt -c requirements/runtime.txt > /dev/null
	@$(LOCK) pyproject.toml --extra png --extra traces --group dev -o requirements/dev.txt -c requirements/traces.txt > /dev/null
	@$(LOCK) pyproject.toml --extra png --extra traces --extra mcp -o requirements/image.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group installer -o requirements/installer.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group build -o requirements/build.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group adapters -o requirements/adapters.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group oracles -o requirements/oracles.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group generators -o requirements/generators.txt -c requirements/dev.txt -c requirements/oracles.txt > /dev/null
	@$(LOCK) --group release -o requirements/release.txt -c requirements/dev.txt > /dev/null
	@$(LOCK) --group bench -o requirements/bench.txt -c requirements/dev.txt -c requirements/adapters.txt > /dev/null

.PHONY: clean
clean: ## Remove all build products; keeps var/ (games and keys)
	@rm -rf $(VENV) .compiled build *.egg-info .*_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
