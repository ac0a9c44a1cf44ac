# Entry points. Each works on a fresh Debian 12: what is missing is installed first. `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BUILD := build/release

.PHONY: help
help: ## List the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## Install what building and running need
	@scripts/setup

.PHONY: setup-test
setup-test: ## Install what tests, checks and benchmarks need as well
	@scripts/setup test

.PHONY: build
build: setup ## Build the program: build/release/bin/hyperscale
	@scripts/configure release
	@cmake --build $(BUILD) --target hyperscale

.PHONY: run
run: build ## Build, show a node, then load-test the built-in target (ARGS="..." goes to the first load test)
	@scripts/demo-node
	@scripts/demo-load $(ARGS)

.PHONY: test
test: setup-test ## Build everything and run all tests but the slow ones
	@scripts/build-all release
	@scripts/run-tests

.PHONY: check
check: setup-test ## Tests, sanitizers, models, fuzzers, lint: everything, with a summary
	@scripts/check-all

.PHONY: sim
SEEDS ?= 2000
sim: setup ## Simulate a cluster under random faults: make sim SEEDS=2000 (ARGS="..." goes to hyperscale sim)
	@scripts/sim $(SEEDS) $(ARGS)

.PHONY: bench
bench: setup-test ## Build and run the benchmarks
	@scripts/bench

.PHONY: coverage
coverage: setup-test ## Unit tests with line and branch coverage (report: build/coverage/html)
	@scripts/coverage

.PHONY: gcc
gcc: setup-test ## Build with the second compiler and run the unit tests
	@scripts/unit-tests gcc

.PHONY: fmt
fmt: setup ## Format all C++ code in place
	@scripts/fmt

.PHONY: lint
lint: setup ## Static analysis of src and apps
	@scripts/lint

.PHONY: clean
clean: ## Remove everything that was built
	@rm -rf build
