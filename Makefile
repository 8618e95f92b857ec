# The project's commands. Each works on a fresh clone: what is missing is set up in .venv first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SECONDS ?= 300
TAG ?=
export TAG

.DEFAULT_GOAL := help
.PHONY: help demo test format lint types contracts bundle programs unit wheel site pythons release bench paper fuzz docs web lock clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# The versions of constraints.txt are tried first; where they cannot be had, newer ones do.
DEV = --quiet --disable-pip-version-check --group dev --editable .

$(READY): pyproject.toml constraints.txt
	@echo "setting up $(VENV) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tlex needs Python 3.11 or newer")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	@$(BIN)/python -m pip install -c constraints.txt $(DEV) || \
	    { echo "not all versions of constraints.txt can be had here; taking others"; \
	      $(BIN)/python -m pip install $(DEV); }
	@touch $@

demo: $(READY)  ## tlex demo, and the picture of the story in story.svg
	@$(BIN)/tlex demo
	@$(BIN)/tlex draw examples/story.tml -o story.svg

test: format lint types contracts bundle site unit wheel  ## run every check
	@echo "all checks passed"

format: $(READY)  ## check the format of the code
	$(BIN)/ruff format --check .

lint: $(READY)  ## ruff
	$(BIN)/ruff check .

types: $(READY)  ## mypy, strict
	$(BIN)/mypy

contracts: $(READY)  ## who may import whom
	$(BIN)/lint-imports

bundle:  ## is the page's script what the sources in web/ give?
	@sh web/check.sh

programs:  ## install what tests need besides Python, where this is Debian and one may
	@sh tests/install_programs.sh

unit: $(READY) programs  ## tests and doctests
	$(BIN)/python -m pytest -n auto

wheel: $(READY)  ## build the wheel, install it in a clean environment and use it
	@rm -rf dist .wheel-venv
	$(BIN)/python -m build --quiet
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/check_distributions.py dist
	@$(PYTHON) -m venv .wheel-venv
	@.wheel-venv/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	.wheel-venv/bin/python tests/use_wheel.py
	@rm -rf .wheel-venv

site: $(READY)  ## build the documentation in site/; a broken link or an address of another host fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/python tests/check_site.py site

pythons: wheel  ## quick tests on each Python that this machine has; the same JSON on all
	$(BIN)/python tests/pythons.py dist/*.whl

release: wheel  ## build and check what is published; TAG=v0.1.0 also checks dates
	$(BIN)/python tests/check_release.py "$$TAG"
	@ls -l dist

lock: $(READY)  ## write constraints.txt anew: the newest versions that go together
	$(BIN)/python tests/write_constraints.py

bench: $(READY)  ## run the benchmarks, print their tables and write docs/performance.md
	@$(BIN)/python benchmarks/performance.py

paper: $(READY)  ## our figures beside the paper's, from ../shared/corpora, and release/
	@$(BIN)/python benchmarks/paper.py

fuzz: $(READY)  ## feed it broken documents for SECONDS (default 300)
	$(BIN)/python tests/fuzz.py $(SECONDS)

web:  ## build the page's script and stylesheet anew (needs Node)
	cd web && npm ci --no-progress && npm run --silent check && npm run --silent build

docs: $(READY)  ## write the generated pages of docs/ anew
	$(BIN)/python docs/generate.py

clean:  ## remove everything that can be made again
	rm -rf story.svg $(VENV) .wheel-venv .peers .pythons dist build release site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
