# Two commands for newcomers: `make demo` opens the tool, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check slow format demo-dataset clean

demo: $(VENV)/.installed
	@$(BIN)/judge --workspace . demo
	@echo "Next: . $(BIN)/activate, then: judge score demo --engine bm25"

test: check
	$(BIN)/pytest --doctest-modules

slow: $(VENV)/.installed-dev
	$(BIN)/pytest -m slow

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'irrcac==0.4.4'
	@touch $@ $(VENV)/.installed

# The demo dataset is made from corpora/demo.json, which is the file to edit.
demo-dataset: $(VENV)/.installed
	rm -rf corpora/demo labels/demo/gold
	$(BIN)/judge import corpora/demo.json --name demo --gold
	$(BIN)/judge pool demo --engine bm25 --engine terms --depth 10

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
