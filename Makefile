# make deck    set up .venv and print the two sample decks to out/
# make box     print everything to out/
# make studio  the same, with all extras, and open the game in the browser
# make test    set up .venv, lint, check types, run the tests; no browser is needed
# The rest: make help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JS := tools/js
# The versions of all packages in development and CI, on all systems; `make lock` renews them.
PINS := .ci/dev.txt

# With this variable, every program that a test starts would compile all of Deckwright again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help deck box studio examples run check test browser corpus lint js docs site lock licenses pictures studio-pictures schema fuzz soak mutants bench speed fingerprint clean

help:
	@echo "make deck     print the two sample decks to out/"
	@echo "make box      print everything: all decks, markers, overview, rulebook"
	@echo "make studio   open the game in the browser; GAME=folder opens another one"
	@echo "make examples check and print the example games, each to its own out/"
	@echo "make run      make a thousand decks of examples/mosaic, all different, and print them; SEED=, COUNT="
	@echo "make check    check the whole game"
	@echo "make test     lint, check types, run the tests"
	@echo "make browser  test the studio in chromium, which must be installed"
	@echo "make corpus   test the cases of large corpora that \`make test\` omits"
	@echo "make js       check the studio's JavaScript: Prettier, TypeScript, ESLint; npm must be installed"
	@echo "make docs     write the generated pages of docs/"
	@echo "make site     build the documentation as a site in site/"
	@echo "make lock     pin the packages of development, CI and releases; uv must be installed"
	@echo "make licenses list the licenses of everything that is installed with Deckwright"
	@echo "make pictures draw the pictures of the README and docs/ from real output"
	@echo "make studio-pictures  take the screenshots of docs/studio.md and the recording of the README, in chromium"
	@echo "make schema   write the XML schemas for editors to xml/schema/"
	@echo "make fuzz     damage games, drawings, fonts, tables and more for hours; SURFACES=, MINUTES=; CORPUS=folder reads files of others"
	@echo "make soak     edit a game in the studio for an hour, and kill a run of 20,000 decks fifty times; MINUTES=, DECKS="
	@echo "make mutants  change one thing at a time and list the changes that no test notices; ROOM=, FILES=, TESTS=, MOST="
	@echo "make bench    compare speed with Typst and WeasyPrint"
	@echo "make speed    a small part of that, in seconds, without other programs"
	@echo "make fingerprint  compare the output of all commands with that of another revision; REV=, ONLY="
	@echo "make clean    remove .venv, site/, npm packages and the printed files"

deck: $(VENV)/.installed
	$(BIN)/deck_constructor army_HK_1.xml army_ZK_1.xml

box: $(VENV)/.installed
	$(BIN)/deckwright build

studio: $(VENV)/.all
	$(BIN)/deckwright studio --game $(or $(GAME),.)

examples: $(VENV)/.installed
	set -e; for game in examples/*/; do \
		$(BIN)/deckwright check --game $$game; \
		$(BIN)/deckwright build --game $$game; \
	done

SEED := winter
COUNT := 1000
MOSAIC := examples/mosaic
RUN := $(MOSAIC)/out/$(SEED)-$(COUNT)

# After an interruption, it continues where it stopped.
run: $(VENV)/.installed
	$(BIN)/deckwright generate --game $(MOSAIC) --seed $(SEED) --count $(COUNT) --out $(RUN).jsonl --report $(RUN).txt
	$(BIN)/deckwright run plan $(RUN).jsonl --game $(MOSAIC) --out $(RUN)
	$(BIN)/deckwright run start $(RUN)
	$(BIN)/deckwright run verify $(RUN)

check: $(VENV)/.installed
	$(BIN)/deckwright check

test: $(VENV)/.tested lint
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/browser

browser: $(VENV)/.browser
	$(BIN)/python -m pytest -n 2 --reruns 1 tests/browser

# EVERY=64 tries a 64th of what `make test` omits, and nothing of what `make browser` omits.
corpus: $(VENV)/.tested $(if $(EVERY),,$(VENV)/.browser)
	REST_OF_CORPUS=$(or $(EVERY),1) $(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/browser -m corpus
	$(if $(EVERY),,REST_OF_CORPUS=1 $(BIN)/python -m pytest -n 2 --reruns 1 tests/browser -m corpus)

lint: $(VENV)/.tested
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/deckwright fmt --check
	@if test -e $(JS)/node_modules/.installed && command -v npm >/dev/null; then $(MAKE) js; \
	else echo "the studio's JavaScript is not checked: make js installs what does it"; fi

js: $(JS)/node_modules/.installed
	npm --prefix $(JS) run --silent check

docs: $(VENV)/.tested
	$(BIN)/python docs/generate.py

site: $(VENV)/.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

LOCK := uv pip compile --quiet --python-version 3.11 --no-header --no-annotate

lock:
	$(LOCK) --generate-hashes --python-platform x86_64-manylinux_2_28 .ci/release-tools.in --output-file .ci/release-tools.txt
	$(LOCK) --generate-hashes --universal --extra all pyproject.toml --output-file .ci/lock.txt
	$(LOCK) --universal --all-extras pyproject.toml --output-file $(PINS)

licenses: $(VENV)/.licenses
	$(BIN)/pip-licenses --from mixed --format markdown --packages $$(sed -n 's/==.*//p' .ci/lock.txt)

pictures: $(VENV)/.tested
	$(BIN)/python docs/pictures.py $(ONLY)

studio-pictures: $(VENV)/.browser
	$(BIN)/python docs/studio_pictures.py
	$(BIN)/python docs/recording.py

schema: $(VENV)/.installed
	$(BIN)/deckwright schema

fuzz: $(VENV)/.tested
	$(BIN)/python $(if $(CORPUS),tests/xmlio/read_corpus.py $(CORPUS),tests/fuzz.py $(SURFACES) --minutes $(or $(MINUTES),60))

soak: $(VENV)/.tested
	$(BIN)/python tests/soak.py --minutes $(or $(MINUTES),60) --decks $(or $(DECKS),20000)

mutants: $(VENV)/.mutants
	$(BIN)/python tests/mutants.py $(FILES) $(if $(ROOM),--room $(ROOM)) $(if $(TESTS),--tests $(TESTS)) --most $(or $(MOST),100)

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

speed: $(VENV)/.installed
	$(BIN)/python benchmarks/run.py --small --runs $(or $(RUNS),3)

fingerprint: $(VENV)/.tested
	$(BIN)/python tools/fingerprint.py --against $(REV) --only "$(ONLY)"

# The stamps record the installed extras; a change of the dependencies installs them again.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(PINS) -e
NEEDS := pyproject.toml $(PINS) | $(VENV)/bin/python

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(NEEDS)
	$(INSTALL) .
	touch $@

$(VENV)/.all: $(NEEDS)
	$(INSTALL) '.[all]'
	touch $@ $(VENV)/.installed

$(VENV)/.tested: $(NEEDS)
	$(INSTALL) '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.browser: $(NEEDS)
	$(INSTALL) '.[dev,browser-tests]'
	touch $@ $(VENV)/.installed $(VENV)/.tested

$(JS)/node_modules/.installed: $(JS)/package.json $(JS)/package-lock.json
	npm --prefix $(JS) ci --silent --no-fund --no-audit
	touch $@

$(VENV)/.mutants: $(NEEDS)
	$(INSTALL) '.[dev,mutants]'
	touch $@ $(VENV)/.installed $(VENV)/.tested

$(VENV)/.licenses: $(NEEDS)
	$(INSTALL) '.[all,licenses]'
	touch $@ $(VENV)/.installed $(VENV)/.all

$(VENV)/.bench: $(NEEDS)
	$(INSTALL) '.[dev,bench]'
	touch $@ $(VENV)/.installed

$(VENV)/.site: $(NEEDS)
	$(INSTALL) '.[site]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) $(JS)/node_modules site out/*.pdf out/*.manifest.json
