# Spotter's everyday commands. `make demo` and `make test` install and build what they need.
SHELL := /bin/bash
.DEFAULT_GOAL := help

BUILD := .build/release
SPOTTER := $(BUILD)/spotter
# Debian's Python has paho-mqtt and jsonschema.
PYTHON := /usr/bin/python3

help: ## show this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  %-16s%s\n", $$1, $$2 }' \
		$(MAKEFILE_LIST)

##@ To try and use Spotter

demo: setup ## recognise the bundled clips, watch the MQTT messages arrive, query the history
	@deploy/demo.sh $(SPOTTER)

look: setup ## show the page: a made-up week, and the bundled clips live, until Ctrl-C (make look PORT=8080)
	@deploy/look.sh $(SPOTTER) $(PORT)

build: packages ## build the program into .build/release/spotter
	swift build -c release --product spotter

setup: packages models build ## install the packages, fetch the pose networks, build the program

packages: ## install the Debian packages
	@deploy/packages.sh

models: ## fetch the pose networks into Models/, by package name, version and checksum
	@Models/fetch.sh

deb: packages models ## build the Debian package for this machine's architecture into .build/package
	@deploy/package/build.sh

##@ To develop Spotter

test: setup ## run the whole suite
	@Tests/test.sh

conformance: setup ## check this build against the MQTT contract, clause by clause
	@Tests/Conformance/run.sh $(SPOTTER)

conformance-nats: setup ## … at the fleet's hub: three NATS servers, with a password, and by TLS with a certificate
	@Tests/Conformance/run.sh $(SPOTTER) nats nats-tls

test-hub: setup ## check the hub: rights, certificates, a gym's bridge while servers die, and a node that speaks to it
	@for part in hub gym certificates bridge full node; do \
		SPOTTER=$(SPOTTER) $(PYTHON) Tests/Fleet/$${part}_test.py || exit 1; done

build-fleet: packages ## build the sink and the simulated nodes into .build/release
	@Tests/Fleet/install.sh
	swift build -c release --product spotter-sink
	swift build -c release --product fleet-nodes

test-sink: setup build-fleet ## check the sink and the database's schema: faults, hostile messages, rights, the same answers as a node's
	@$(PYTHON) Tests/Fleet/schema_test.py
	@$(PYTHON) Tests/Fleet/dashboard_test.py
	@$(PYTHON) Tests/Fleet/compare_test.py
	@$(PYTHON) -W ignore Tests/Fleet/sink_test.py
	@SPOTTER=$(SPOTTER) $(PYTHON) -W ignore Tests/Fleet/history_test.py
	@$(PYTHON) -W ignore Tests/Fleet/sink_tls_test.py

dashboards: ## show the fleet's dashboards in Superset: import, check every chart, take pictures (KEEP=1, DATABASE="host=…")
	@Tests/Fleet/dashboards.sh

fleet-small: setup build-fleet ## a small fleet whose hub, sinks, database and network fail (make fleet-small SEED=2)
	@Tests/Fleet/fleet.sh fleet --small --seed $(or $(SEED),1) $(if $(JSON),--json $(JSON)) $(if $(KEEP),--keep)

test-sharing: setup ## read what is handed on with the programs of others: FIT decoders, verifiers of webhooks, wger's client
	@Tests/Sharing/test.sh $(SPOTTER)

test-recipes: setup ## check what the documents say with Prometheus, an RTSP server and, as root, Home Assistant
	@Tests/Recipes/test.sh $(SPOTTER)

test-page: setup ## check the page in a real browser, from sign-in to deletion
	@Tests/Page/test.sh $(SPOTTER)

test-camera: setup ## check camera faults in a virtual machine whose kernel has a test camera
	@Tests/VirtualCamera/test.sh $(BUILD)

kernels-arm64: ## check the kernels on emulated Raspberry Pi processors
	@Tests/kernels-arm64.sh

sanitize: ## check the kernels with AddressSanitizer
	@Tests/sanitize.sh

sanitize-thread: models ## run Agent, Messaging, History and a faulty node with ThreadSanitizer
	@Tests/sanitize-node.sh thread

sanitize-address: models ## run a faulty node with AddressSanitizer
	@Tests/sanitize-node.sh address

build-all: packages ## build all programs and all tests
	@Tests/Fleet/install.sh
	swift build -c release --build-tests

fuzz: ## feed damaged input to every reader, one minute each (make fuzz SECONDS=3600 for longer, 0 to build only)
	@Tests/fuzz.sh $(or $(SECONDS),60)

bench: setup ## compare the networks with LiteRT and MediaPipe on this machine, measure histories of years, and what questions cost
	@Tests/Benchmarks/bench.sh $(SPOTTER)
	@$(PYTHON) Tests/Benchmarks/history.py $(SPOTTER) 1 2 5
	@$(PYTHON) Tests/Benchmarks/questions.py $(SPOTTER)

bench-history: build ## measure a history of years (make bench-history YEARS=2)
	@$(PYTHON) Tests/Benchmarks/history.py $(SPOTTER) $(or $(YEARS),1 2 5)

board: ## estimate frames per second on a Raspberry Pi from counted instructions (after make arm64)
	@Tests/Benchmarks/board.sh

shape: ## print how long files and functions are, target by target
	@$(PYTHON) Tests/shape.py

format: ## show what the formatter would change
	swift format lint --strict --recursive Sources Tests Package.swift

clean: ## delete what was built
	rm -rf .build

##@ To train the shipped model

exercises: ## train the shipped classifier again (make exercises CAPTURED=takes.safetensors; see Models/README.md)
	@Models/train.sh $(SPOTTER) 2 Models/exercises.safetensors $(CAPTURED)

figures: setup ## measure the shipped classifier and tracking (DATA=folder adds collections of clips)
	@Models/figures/figures.sh $(SPOTTER) $(DATA)

##@ To release Spotter

release-check: ## run every long check and write the results into DurabilityNotes.md
	@Tests/release-check.sh

release: ## make signed packages, sources, SBOM, notes and an apt repository (make release SPOTTER_SIGNING_KEY=ID)
	@SPOTTER_SIGNING_KEY=$(SPOTTER_SIGNING_KEY) deploy/release/release.sh

release-key: ## make the key that signs releases, in your GNUPGHOME
	@deploy/release/key.sh

test-release: setup build-fleet ## check a release: install from its apt repository, refuse what was changed, wait for locks
	@deploy/release/test.sh $(SPOTTER) $(BUILD)/spotter-sink
	@deploy/release/lock-test.sh

test-sources: setup ## build a release's source archive in a network without routes, and compare what it recognises
	@deploy/release/test-sources.sh $(SPOTTER)

soak: setup ## three hours: kill -9, a dying broker, an hour's watch, an hour of faults; HOURS=24 CLIP=x.mp4: one looped clip, its counts beside the truth
ifdef HOURS
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) life $(HOURS) $(CLIP)
else
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) kills 1000
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) broker 10000
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) steady 60
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) war 60
endif

fleet: setup build-fleet ## a fleet of 1,000 nodes whose hub, sinks, database and network fail (KEEP=1 keeps the database)
	@Tests/Fleet/fleet.sh fleet --seed $(or $(SEED),1) $(if $(JSON),--json $(JSON)) $(if $(KEEP),--keep)

fleet-delay: setup build-fleet ## how late records are stored in a fleet of 1,000 nodes without faults
	@Tests/Fleet/fleet.sh fleet --calm --seed $(or $(SEED),1) $(if $(JSON),--json $(JSON))

fleet-chaos: setup build-fleet ## random faults in a fleet for an hour (make fleet-chaos MINUTES=10 SEED=2)
	@Tests/Fleet/fleet.sh chaos --minutes $(or $(MINUTES),60) --seed $(or $(SEED),1) $(if $(JSON),--json $(JSON))

catch-up: setup build-fleet ## how fast a sink catches up (make catch-up RECORDS=200000)
	@Tests/Fleet/fleet.sh catch_up --records $(or $(RECORDS),40000) $(if $(JSON),--json $(JSON))

war: setup ## random faults at 100 commands a second for an hour (make war MINUTES=10 for less)
	@$(PYTHON) Tests/Soak/soak.py $(SPOTTER) war $(or $(MINUTES),60)

test-deb: deb ## install, run, upgrade, remove and purge the package in clean Debian 12 and 13 roots
	@deploy/package/test-both.sh $(SPOTTER)

container: deb ## build the container image of the package, for this machine's architecture, into .build/container
	@deploy/container/build.sh .build/package/spotter_$$($(SPOTTER) --version)_$$(dpkg --print-architecture).deb

test-container: container ## follow the page Containers with podman: start, stop, kill, foreign users, old and newer histories
	@deploy/container/test.sh .build/container/spotter-container-$$($(SPOTTER) --version)-$$(dpkg --print-architecture).tar.xz

deb-sink: packages ## build the Debian package of spotter-sink for this machine's architecture into .build/package
	@deploy/package/sink/build.sh

test-deb-sink: deb-sink ## install, run, upgrade, remove and purge the sink's package in clean Debian 12 and 13 roots
	@deploy/package/sink/test-both.sh $(BUILD)/spotter-sink

follow-fleet: deb-sink ## follow the page deploy/fleet/README.md word for word in a virtual machine with Debian 12
	@deploy/package/sink/follow.sh .build/package/spotter-sink_$$($(BUILD)/spotter-sink --version)_amd64.deb

follow-hub: ## follow the page deploy/fleet/HUB.md word for word in Debian roots, three servers and a gym
	@deploy/package/sink/follow-hub.sh

test-boot: deb ## run the service under systemd in a virtual machine: start, reload, kill, freeze
	@deploy/package/boot.sh .build/package/spotter_$$($(SPOTTER) --version)_amd64.deb

arm64: setup build-fleet ## cross-compile the arm64 packages and try them in an emulated Debian 13
	@deploy/package/arm64.sh $(SPOTTER) $(BUILD)/spotter-sink

.PHONY: help demo look build build-all setup packages models deb test conformance test-sharing test-recipes test-page test-camera kernels-arm64 sanitize \
	sanitize-thread sanitize-address fuzz bench bench-history board shape format clean exercises figures release-check soak war test-deb test-boot arm64 \
	container test-container test-sources release release-key test-release conformance-nats test-hub test-sink dashboards build-fleet fleet fleet-small \
	fleet-delay fleet-chaos catch-up deb-sink test-deb-sink follow-fleet follow-hub
