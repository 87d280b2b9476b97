# Short names for what is done often. `make` alone lists them.
.DEFAULT_GOAL := help
.PHONY: help check test test-all build demo bench format lint generate fresh console parts timings clean

# The program needs no C, so nothing is compiled a second time with it.
export CGO_ENABLED ?= 0

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST) | expand -t 18

check: ## everything that must hold before a change goes in; needs only Go
	@scripts/check

test: ## the tests near to your change, on SQLite alone: quick, for while you work; says what it leaves out
	@scripts/test

test-all: ## all tests on SQLite alone
	@scripts/test --all

build: ## the program as one static file, bin/slipway
	@CGO_ENABLED=0 go build -trimpath -o bin/slipway ./cmd/slipway

demo: ## the whole story on this machine: chain, bank, payments
	@scripts/demo

bench: ## the benchmarks, beside a durable PostgreSQL; writes docs/benchmarks.md
	@scripts/bench

lint: ## find faults, departures from the layout, and functions that nothing reaches
	@scripts/lint

format: ## lay the code out as the formatters want it
	@scripts/format

generate: ## write every generated file anew
	@scripts/generate

fresh: ## say whether the generated files are fresh
	@scripts/fresh

console: ## build the web console into internal/pages/console/dist; needs Node
	@scripts/console

parts: ## tests against real programs, nodes and browsers; writes docs/reference/parts.md (scripts/parts PART runs one part)
	@scripts/parts

timings: ## where the time of the last check went
	@scripts/timings

clean: ## remove what was built
	@rm -rf bin
