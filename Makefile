# Everything a newcomer runs.  `make` alone lists the targets.
#
# A target makes the environment it needs and remembers that in a stamp, so that
# a second run starts at once.  The stamps depend on the lock files: a changed pin
# brings the environment up to date, an unchanged one costs nothing.

SHELL := /bin/sh
VENV ?= .venv
# Looked for once; a name that is there and does not run is passed over in silence.
ifndef PYTHON
PYTHON := $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
endif
PY := $(VENV)/bin/python
WORKERS ?= auto
PYTEST_ARGS ?=
FROM ?=

PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --no-input
RUNTIME := $(VENV)/.stamp-runtime
TEST := $(VENV)/.stamp-test

.DEFAULT_GOAL := help
.PHONY: help demo test check lint compare coverage bench format lock dist clean

help:
	@echo 'make demo          see Muniment at work in about a minute (FROM=<path>: on your own material)'
	@echo 'make test          run every test'
	@echo 'make check         formatting, lint, types, import contracts, house rules, then every test'
	@echo 'make compare       tell the real hermes-agent sixty operations, and compare with what is recorded'
	@echo 'make coverage      run every test slowly, and list the lines that none of them runs'
	@echo 'make bench         measure, and compare with the committed scorecard'
	@echo 'make format        rewrite the code the way the formatter wants it'
	@echo 'make lock          resolve the pins in requirements/ again'
	@echo 'make dist          build the wheel and the source distribution'
	@echo 'make clean         remove what these targets made'

demo: $(RUNTIME)
	@$(PY) -m muniment demo $(if $(FROM),--from "$(FROM)")

test: $(TEST)
	$(PY) -m pytest -n $(WORKERS) --dist loadfile -q $(PYTEST_ARGS)

# The house rules come before the long run: they answer in seconds.
check: lint
	$(PY) -m pytest tests/house -q
	$(PY) -m pytest -n $(WORKERS) --dist loadfile -q --ignore=tests/house $(PYTEST_ARGS)

lint: $(TEST)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-cache

# The other package lies in an environment of its own, which a run makes in some seconds.
compare: $(TEST)
	$(PY) -m bench.hermes --check

# In one process: what a test starts as a process of its own is not counted.
coverage: $(TEST)
	@mkdir -p build
	$(PY) -m coverage run -m pytest -q $(PYTEST_ARGS)
	$(PY) -m coverage report --skip-covered --show-missing

bench: $(TEST)
	$(PY) -m bench

format: $(TEST)
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

# The pins are resolved on the oldest supported Python.  No address of any
# registry goes into the files: whoever installs chooses where from, and the
# hashes say whether it was the same thing.
COMPILE := -m piptools compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-annotate --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options
GROUP := $(PY) -c 'import sys, tomllib; \
	print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"][sys.argv[1]], sep="\n")'

lock: $(TEST)
	@mkdir -p build
	$(PIP_INSTALL) 'pip-tools>=7.4'
	$(PY) $(COMPILE) --extra cli --extra mcp -o requirements/runtime.txt pyproject.toml
	$(GROUP) build > build/build.in
	$(PY) $(COMPILE) -o requirements/build.txt build/build.in
	$(GROUP) test > build/test.in
	$(PY) $(COMPILE) -c requirements/runtime.txt -c requirements/build.txt -o requirements/test.txt build/test.in
	$(GROUP) hermes > build/hermes.in
	$(PY) $(COMPILE) -o build/hermes.txt build/hermes.in
	awk '/^[a-z]/ { keep = /^(hermes-agent|pyyaml)==/ } keep' build/hermes.txt > requirements/hermes.txt

dist: $(TEST)
	$(PY) -m build --no-isolation --outdir dist .

clean:
	rm -rf build dist .ci-report .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	@echo 'The environment stays; remove it with: rm -rf $(VENV)'

$(PY):
	@test -n "$(PYTHON)" || { echo 'Muniment needs Python 3.11 or newer; none was found. Say where: make PYTHON=/path/to/python' >&2; exit 1; }
	@echo 'making $(VENV) with $(PYTHON)'
	@$(PYTHON) -m venv --clear $(VENV)

$(RUNTIME): requirements/runtime.txt requirements/build.txt pyproject.toml | $(PY)
	@echo 'installing what Muniment runs on'
	@$(PIP_INSTALL) --require-hashes -r requirements/runtime.txt -r requirements/build.txt
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(TEST): requirements/test.txt $(RUNTIME)
	@echo 'installing what the tests need'
	@$(PIP_INSTALL) --require-hashes -r requirements/test.txt
	@touch $@
