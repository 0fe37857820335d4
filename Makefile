# Spotter's everyday commands. `make demo` and `make test` set up everything they need.
SHELL := /bin/bash
.DEFAULT_GOAL := help

BUILD := .build/release
SPOTTER := $(BUILD)/spotter
# The one that has Debian's paho-mqtt and jsonschema.
PYTHON := /usr/bin/python3

help:            ## what there is
	@grep -E '^[a-z0-9-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/: .*## /\t/' | expand -t 16

demo: setup      ## recognise the bundled clips: MQTT messages as they arrive, then the history
	@deploy/demo.sh $(SPOTTER)

test: setup      ## the whole suite
	@deploy/test.sh

build: packages  ## the program, .build/release/spotter
	swift build -c release --product spotter

setup: packages models build

packages:        ## the Debian packages
	@deploy/packages.sh

models:          ## the pose networks, by package name, version and checksum, into Models/
	@Models/fetch.sh

conformance: setup ## this build against the MQTT contract, clause by clause
	@deploy/conformance/run.sh $(SPOTTER)

soak: setup      ## three hours: a thousand kill -9 of the node, ten thousand records through dying brokers, an hour's watch, a war
	@$(PYTHON) deploy/conformance/soak.py $(SPOTTER) kills 1000
	@$(PYTHON) deploy/conformance/soak.py $(SPOTTER) broker 10000
	@$(PYTHON) deploy/conformance/soak.py $(SPOTTER) steady 60
	@$(PYTHON) deploy/conformance/soak.py $(SPOTTER) war 60

war: setup       ## an hour of random faults at 100 commands a second: make war MINUTES=10
	@$(PYTHON) deploy/conformance/soak.py $(SPOTTER) war $(or $(MINUTES),60)

fuzz:            ## every reader gets damaged input, a minute each: make fuzz SECONDS=3600 before a release
	@deploy/fuzz.sh $(or $(SECONDS),60)

deb: packages models ## the Debian package of this machine's architecture, into .build/package
	@deploy/package/build.sh

test-deb: deb    ## installed, run, upgraded, removed and purged in clean Debian 12 and 13 roots
	@deploy/package/test-both.sh $(SPOTTER)

test-boot: deb   ## the service under systemd in a virtual machine with a test camera: started, reloaded, killed, frozen
	@deploy/package/boot.sh .build/package/spotter_$$($(SPOTTER) --version)_amd64.deb

arm64: setup     ## the Debian package for arm64, compiled here, and tried in an emulated Debian 13
	@deploy/package/arm64.sh $(SPOTTER)

board:           ## frames a second to expect of a Raspberry Pi, from counted instructions; after make arm64
	@deploy/bench/board.sh

kernels-arm64:   ## the kernels on emulated Raspberry Pi processors
	@deploy/kernels-arm64.sh

test-camera: setup ## cameras: a virtual machine whose kernel has a test camera, with everything that may happen to one
	@deploy/camera/test.sh $(BUILD)

sanitize:        ## the kernels with AddressSanitizer watching
	@deploy/sanitize.sh

sanitize-thread: models ## Agent, Messaging, History and a node at war with ThreadSanitizer watching
	@deploy/sanitize-thread.sh

bench: setup     ## the networks beside LiteRT and MediaPipe, by turns, on this machine
	@deploy/bench/bench.sh $(SPOTTER)

exercises:       ## train the shipped classifier anew, the same every time
	@deploy/train-exercises.sh $(SPOTTER)

figures: setup   ## measure the shipped classifier on collections of clips: make figures DATA=folder
	@deploy/figures/figures.sh $(SPOTTER) $(DATA)

format:          ## what the formatter would change
	swift format lint --strict --recursive Sources Tests Package.swift

clean:           ## throw away what was built
	rm -rf .build

.PHONY: help demo test deb test-deb test-boot conformance soak war fuzz sanitize-thread build setup packages models arm64 kernels-arm64 board test-camera sanitize bench \
	exercises figures format clean
