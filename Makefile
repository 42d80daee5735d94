# make run    live location events from a bundled recording
# make test   every test
# Both install what is missing first. `make help` lists the rest.

SWIFT   ?= swift
RELEASE := $(SWIFT) build -c release --static-swift-stdlib
BIN      = $(CURDIR)/.build/release
SOURCES := Package.swift Sources Tests
SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)

# What it is built with, beyond the Swift toolchain; dbus for the tests.
PACKAGES := dbus libdbus-1-dev libgeographiclib-dev libsystemd-dev pkg-config

.DEFAULT_GOAL := help
.PHONY: help run test check format build release bench fuzz clean dependencies

help:
	@echo 'make run      show live location events from a bundled recording'
	@echo 'make test     run every test'
	@echo 'make check    format, warnings, walls between the rooms'
	@echo 'make format   put the sources in format'
	@echo 'make build    build for debugging'
	@echo 'make release  build what is shipped'
	@echo 'make bench    measure: speed of decoding, latency, cost and memory of the daemon, cost of D-Bus'
	@echo 'make fuzz     feed the decoders ten million pieces of nonsense'
	@echo 'make clean    remove what was built'

run: release
	@config/run '$(BIN)' Tests/Recordings/parachute.nmea

test: release
	@LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest

check: dependencies
	@echo 'Checking the format…'
	@$(SWIFT) format lint --strict --recursive $(SOURCES)
	@echo 'Building with warnings as errors, and checking the walls…'
	@$(SWIFT) test --disable-xctest --quiet --filter Walls

format:
	@$(SWIFT) format --in-place --recursive $(SOURCES)

build: dependencies
	@$(SWIFT) build

release: dependencies
	@$(RELEASE) --product locationd --quiet
	@$(RELEASE) --product locationctl --quiet

bench: release
	@$(RELEASE) --product bench-decode --quiet
	@'$(BIN)/bench-decode'
	@$(RELEASE) --product bench-daemon --quiet
	@'$(BIN)/bench-daemon' '$(BIN)'
	@$(RELEASE) --product bench-bus --quiet
	@dbus-run-session -- '$(BIN)/bench-bus'

fuzz: dependencies
	@Tests/Fuzz/run

clean:
	@rm -rf .build Tests/Fuzz/.build

# Once: later it finds everything there and says nothing.
dependencies:
	@command -v '$(firstword $(SWIFT))' >/dev/null || { \
	  echo 'Swift is missing: install the toolchain, 6.2 or newer, from https://swift.org/install' >&2; exit 1; }
	@missing=; for package in $(PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q '^install ok' \
	    || missing="$$missing $$package"; done; \
	[ -z "$$missing" ] || { \
	  command -v apt-get >/dev/null || { echo "Please install:$$missing" >&2; exit 1; }; \
	  echo "Installing$$missing"; \
	  $(SUDO) apt-get -qq update && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y \
	    --no-install-recommends $$missing >/dev/null; }
