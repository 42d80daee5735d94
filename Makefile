# make run    live location events from a bundled recording
# make test   every test
# Both install what is missing first. `make help` lists the rest.

SWIFT   ?= swift
# Swift's own libraries and the C++ library are linked in, for what is used of them; system libraries
# are found where the system has them, never beside the program. Installed programs are stripped: nothing
# is said for debuggers. PACK=1 packs address fix-ups too, which
# takes half a megabyte off each program and needs glibc 2.36 to run. Swift's hash of each module, which names
# the folder, is left out: builds in two folders are equal.
RELEASE  := $(SWIFT) build -c release --disable-build-manifest-caching --static-swift-stdlib \
  -debug-info-format none --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --gc-sections \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xlinker -L$(CURDIR)/.build/archives $(if $(PACK),-Xlinker -zpack-relative-relocs)
# They are built apart from the tests, so that both may be built at once.
SHIPPED  := $(RELEASE) --scratch-path .build/shipped
# A build that fails on a full disk says so.
OR_FULL := || { [ "$$(df -Pm . | awk 'NR == 2 { print $$4 }')" -ge 50 ] || \
  echo "The disk is full: make room, or move this folder; 'make clean' takes away what was built." >&2; exit 1; }
# On a terminal the first build shows how far it is.
QUIET   := $(if $(shell [ ! -t 2 ] || [ -e .build/release/locationd-agent ] || echo shown),,--quiet)
BIN      = $(CURDIR)/.build/release
SOURCES := Package.swift Sources Tests
SUDO    := $(if $(filter 0,$(shell id -u)),,sudo)

# Under /usr every distribution looks for units, users, rules and man pages; under /usr/local not all.
PREFIX  ?= /usr
DESTDIR ?=
# Into this machine as root, into a folder of one's own as oneself.
INTO     = $(if $(DESTDIR),,$(SUDO))
# The parts, each a package whose files debian/PACKAGE.install names.
PARTS    := locationctl locationd places map geoclue tracker share timezone
package  = $(if $(filter location%,$1),$1,locationd-$1)
# The folder of world.sqlite, postcodes.sqlite and the base map.
PLACES_DATA ?= .build/places
PLACES_FILES := world.sqlite postcodes.sqlite ground.bin names.json

# Packages that it is built with, beyond the Swift toolchain, as debian/control names them; dbus for the tests.
PACKAGES := dbus $(shell sed -n '/^$$/q; s/^ \([^d][a-z0-9-]*\),*$$/\1/p' debian/control)
# Further packages of some goals: $(call for,GOALS,PACKAGES).
for = $(if $(filter $(1),$(MAKECMDGOALS)),$(2))

.DEFAULT_GOAL := help
.PHONY: help run test tested ready check format build version release build-places archives install uninstall $(PARTS:%=install-%) $(PARTS:%=uninstall-%) install-places-data uninstall-places-data source deb repository try bench peers soak soak-machine soak-tests fuzz clean dependencies place places

help:
	@echo 'make run      show live location events from a bundled recording'
	@echo 'make test     run every test'
	@echo 'make check    format, warnings, walls between the rooms'
	@echo 'make format   put the sources in format'
	@echo 'make build    build for debugging'
	@echo 'make release  build what is shipped'
	@echo 'make install  install what is shipped, as a service; make uninstall takes it away'
	@echo 'make install-geoclue  let it serve programs written for GeoClue, too; make uninstall-geoclue'
	@echo 'make install-tracker  let it keep the track of this machine, too; make uninstall-tracker'
	@echo 'make install-timezone  let its time zone follow its place, too; make uninstall-timezone'
	@echo 'make install-share  let it serve programs of gpsd and NMEA, and chrony, too; make uninstall-share'
	@echo 'make deb      make Debian packages of it, in .build; make source makes source packages, in .build/deb'
	@echo 'make repository DIR=FOLDER KEY=NAME  make a signed apt repository of them'
	@echo 'make try      install, upgrade, restart and purge it in fresh Debian 12 machines with systemd; as root'
	@echo 'make places   make the data of places: the world, in .build/places'
	@echo 'make bench    measure everything beside its peers, into .build/bench.md; BENCH=NAME… some, QUICK=1 in short'
	@echo 'make soak     everything together for an hour in a machine, as root, and its report, .build/soak.md; then an hour'
	@echo '              of clients that come, go and misbehave; SOAK_SECONDS=N for another time'
	@echo 'make fuzz     feed nonsense to each decoder of foreign bytes for an hour; FUZZ_SECONDS=N for another time'
	@echo 'make clean    remove what was built'

run: release
	@config/run '$(BIN)' Tests/Recordings/parachute.nmea

# systemd's tools look at the units, without it running; dpkg's make a package; gpsd is asked as it is;
# Python hands connections on, plays logind, polkit and desktops and, as gdbus, is a client on the bus, which
# sandboxes reach through the proxy, and programs of GeoClue's in them through the portal.
PACKAGES += $(call for,test tested ready,apt-utils bubblewrap chromium chrony debhelper dpkg-dev fonts-noto-cjk gdal-bin gir1.2-geoclue-2.0 gnupg gpsbabel gpsd gpsd-clients gpsd-tools libglib2.0-bin libxml2-utils lintian mosquitto mosquitto-clients openssl polkitd python3 python3-dbus python3-dbusmock python3-gi python3-gps python3-jsonschema sqlite3 systemd uidmap xdg-dbus-proxy xdg-desktop-portal)
test: tested
	@LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest $(OR_FULL)

# The world is made, and engines and a browser are fetched, for tests while the programs are built.
tested: dependencies
	@start=$$(date +%s); \
	$(MAKE) --no-print-directory -j4 release places .build/engines/done .build/schemas/gpx.xsd .build/browser .build/receiver-clients .build/web-clients \
	  && echo "Programs, the world, engines and the browser took $$(($$(date +%s) - start)) s."

# Packages and files that two goals at once would write.
ready: dependencies version

# The schemas that exports are checked by, once.
.build/schemas/gpx.xsd: config/pypi/schemas.txt | dependencies
	@Tests/fetch-schemas .build/schemas && touch $@

# Programs for tests, by lists that name each file's sha256: one that drives Debian's browser, clients of gpsd's,
# and clients of Nominatim's, Photon's and OSRM's.
.build/browser .build/receiver-clients .build/web-clients .build/peers/amqtt .build/peers/geopy .build/peers/paho: .build/%: config/pypi/%.txt | dependencies
	@echo "Fetching $(shell sed -n 's/==.*//p' config/pypi/$*.txt | xargs) from PyPI…"
	@rm -rf $@ $@.new; /usr/bin/python3 -m pip install --quiet --disable-pip-version-check \
	  --root-user-action ignore --no-deps --require-hashes --target $@.new --requirement $< && mv $@.new $@ && touch $@

# The version is written as for tests, so that nothing is built twice.
check: dependencies version
	@echo 'Checking the format…'
	@$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@echo 'Building with warnings as errors, and checking the walls…'
	@$(SWIFT) test --disable-xctest --quiet --filter Walls $(OR_FULL)

format:
	@$(SWIFT) format --in-place --recursive $(SOURCES)

build: dependencies version
	@$(SWIFT) build

# What it is built of, for --version and packages. Without it, it is what the changelog says.
version:
	@config/version --write Sources/CVersion/tree.c

# Where the world is made, too, what makes it comes first: the world is made while the programs are built.
release: archives version $(if $(filter places,$(MAKECMDGOALS)),build-places)
	@$(SHIPPED) --target Programs $(QUIET) $(OR_FULL)

build-places: archives version
	@$(SHIPPED) --product build-places --quiet

# The C++ library's archives, under the names that the linker looks for; and the short way to what is built.
archives: dependencies
	@mkdir -p .build/archives; ln -sfn shipped/release .build/release; for pair in libstdc++.a:libstdc++.a libgcc_eh.a:libgcc_s.a; do \
	  ln -sf "$$(clang -print-file-name=$${pair%:*})" ".build/archives/$${pair#*:}"; done

install: $(addprefix install-,locationctl locationd places places-data map)

uninstall: $(addprefix uninstall-,map places-data places locationd locationctl)

# The configuration, once it is there, is its owner's.
$(filter-out install-geoclue,$(PARTS:%=install-%)): release
$(PARTS:%=install-%): install-%:
	@$(INTO) config/install add '$(BIN)' '$(DESTDIR)' '$(PREFIX)' $(call package,$*)

$(PARTS:%=uninstall-%): uninstall-%:
	@$(INTO) config/install remove '$(BIN)' '$(DESTDIR)' '$(PREFIX)' $(call package,$*)

# Programs find their data there under any prefix.
install-places-data: places
	@set -e; for file in $(PLACES_FILES); do [ ! -e "$(PLACES_DATA)/$$file" ] || \
	  $(INTO) install -D -m 644 "$(PLACES_DATA)/$$file" "$(DESTDIR)/usr/share/locationd/places/$$file"; done

uninstall-places-data:
	@set -e; for file in $(PLACES_FILES); do $(INTO) rm -f "$(DESTDIR)/usr/share/locationd/places/$$file"; done
	@for folder in '$(DESTDIR)/usr/share/locationd/places' '$(DESTDIR)/usr/share/locationd'; do \
	  [ ! -d "$$folder" ] || $(INTO) rmdir --ignore-fail-on-non-empty "$$folder"; done

# debian/README.source says how it is made elsewhere.
PACKAGES += $(call for,source deb repository soak soak-machine try,debhelper dpkg-dev)
source: version places
	@config/source .build/deb '$(PLACES_DATA)'
	@cd .build/deb; for tree in */; do (cd $$tree && dpkg-source --build .) || exit 1; done

# The programs and the places are made before.
deb: release places
	@config/source .build/deb '$(PLACES_DATA)'
	@config/packages .build/deb '$(BIN)'
	@for package in .build/deb/*.deb; do \
	  name=$${package##*/}; ln -f $$package .build/$${name%%_*}.deb && echo .build/$${name%%_*}.deb; done

# The caller's gpg key signs it.
PACKAGES += $(call for,repository,apt-utils gnupg)
repository: $(if $(and $(DIR),$(KEY)),deb)
	@[ -n '$(DIR)' ] && [ -n '$(KEY)' ] || { \
	  echo 'make repository DIR=/srv/apt KEY=you@example.org [URL=https://apt.example.org]' >&2; exit 2; }
	@config/repository/make '$(DIR)' '$(KEY)' '$(or $(URL),file:$(abspath $(DIR)))' .build/location*.deb

# In machines of their own, with systemd: nothing of this one is touched. TRY='PART…' tries so much of it.
PACKAGES += $(call for,try,debootstrap git systemd-container python3)
try: deb .build/try/before/made .build/browser
	@$(SHIPPED) --product try-app --quiet
	@$(SUDO) env SWIFT='$(SWIFT)' Tests/Try/run .build $(TRY)

# The packages that an upgrade begins with, once. The world's places are those of now; the old map's land is not looked at.
BEFORE := 7528323
.build/try/before/made: | places
	@echo 'Building the packages of $(BEFORE), once…'
	@rm -rf .build/try/before; mkdir -p .build/try/before/tree/.build
	@git archive $(BEFORE) | tar -x -C .build/try/before/tree
	@mkdir .build/try/before/tree/.build/places
	@ln -s $(foreach file,world.sqlite postcodes.sqlite names.json,'$(CURDIR)/.build/places/$(file)') .build/try/before/tree/.build/places
	@touch .build/try/before/tree/.build/places/land.bin
	@$(MAKE) --no-print-directory -C .build/try/before/tree deb
	@mv .build/try/before/tree/.build/locationd*.deb .build/try/before; rm -rf .build/try/before/tree; touch '$@'

# The world's places and postcodes, of data in packages of Debian's and Python's; once, and again when what makes it changes.
PACKAGES += $(call for,places test tested ready bench soak soak-machine soak-tests install install-places-data deb repository try .build/%,python3 python3-pip unzip)
places: .build/places/world.sqlite .build/places/ground.bin
# Monaco comes with the world's data.
.build/places/monaco.osm.pbf: | dependencies
	@config/places/fetch .build/places/raw
.build/engines/done: Tests/Servers/fetch-engines config/pypi/engines.txt | .build/places/monaco.osm.pbf
	@rm -f '$@'; Tests/Servers/fetch-engines .build/places/monaco.osm.pbf .build/engines
.build/places/world.sqlite: $(wildcard $(shell grep -v '^\#' config/places/made-of)) | archives .build/places/monaco.osm.pbf
	@echo "Making the world's places, once…"
	@config/places/fetch .build/places/raw
	@$(SHIPPED) --product build-places --quiet
	@'$(BIN)/build-places' .build/places/raw .build/places && touch '$@' .build/places/ground.bin
# Alone where the world came from elsewhere.
.build/places/ground.bin: .build/places/world.sqlite | archives
	@config/places/fetch .build/places/raw
	@$(SHIPPED) --product build-places --quiet
	@'$(BIN)/build-places' --map .build/places/raw .build/places && touch '$@'

# BENCH='NAME…' runs some of Tests/Benchmarks/benches; QUICK=1 takes fewer rounds, for trying. Peers stand beside; GeoClue,
# which locationd-geoclue replaces, where it is installed.
PACKAGES += $(call for,bench,gpsbabel gpsd mosquitto)
BENCHMARKS = $(RELEASE) --package-path Tests/Benchmarks --quiet
BENCHES   := $(CURDIR)/Tests/Benchmarks/.build/release
bench: release places .build/engines/done
	@$(BENCHMARKS)
	@for peer in relay publisher; do \
	  clang -O2 -o '$(BENCHES)/bare-'$$peer Tests/Benchmarks/bare/$$peer.c -Wl,--as-needed -lgps -lmosquitto || exit 1; done
	@BIN='$(BIN)' BENCHES='$(BENCHES)' BENCH_QUICK='$(QUICK)' \
	  Tests/Benchmarks/run Tests/Benchmarks/benches .build/bench.md $(BENCH)

# A week in an hour, in a machine with systemd, and then what the tests play for as long: SOAK=machine or tests is one
# of them. A report names the seed, by which SOAK_SEED=N deals the same faults again.
SOAK_SECONDS ?= 3600
SOAK ?= machine tests
PACKAGES += $(call for,soak soak-machine soak-tests,debootstrap mosquitto mosquitto-clients systemd-container)
soak: $(SOAK:%=soak-%)

soak-machine: deb
	@$(SHIPPED) --product try-app --quiet
	@$(SUDO) env SWIFT='$(SWIFT)' SOAK_SECONDS='$(SOAK_SECONDS)' SOAK_SEED='$(SOAK_SEED)' Tests/Try/run .build soak

soak-tests: release places
	@$(BENCHMARKS) --product bench-places
	@'$(BENCHES)/bench-places' .build/places --hostile 1000000
	@SOAK_SECONDS='$(SOAK_SECONDS)' LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest \
	  --filter 'SoakTests|GpsdHostileTests|BusCallTests|WaySearchTests|RoadPartitionTests|BrokerKeysTests|DetectorTraceTests|EachNameTests|LanguageTests|ReceiversApartTests|RoadFeedTests|RouterFailureTests|WiFiNightTests'

# Others' packages may start services: for a machine that is thrown away.
PACKAGES += $(call for,peers,chrony collectd-core direwolf ejabberd erlang-base geoclue-2.0 gpsd gpsd-clients mosquitto mosquitto-clients nats-server openssl osm2pgsql postgresql-15 postgresql-15-postgis-3 prometheus python3-gi python3-gps python3-pip python3-psycopg python3-qgis python3-venv rabbitmq-server)
# Servers of PyPI's, each with a Python of its own.
.build/peers/home-assistant .build/peers/nominatim: .build/%: config/pypi/%.txt | dependencies
	@echo 'Fetching $(@F) and its $(shell grep -c == config/pypi/$*.txt) packages from PyPI…'
	@rm -rf $@ $@.new; /usr/bin/python3 -m venv $@.new && $@.new/bin/python -m pip --quiet install --disable-pip-version-check \
	  --no-deps --require-hashes --requirement $< && mv $@.new $@ && touch $@

peers: dependencies release .build/receiver-clients .build/web-clients .build/engines/done .build/peers/amqtt .build/peers/geopy .build/peers/paho .build/peers/home-assistant .build/peers/nominatim
	@echo "200 questions, beside Nominatim's and OSRM's own servers"; PYTHONPATH='$(CURDIR)/.build/web-clients' \
	  /usr/bin/python3 Tests/Servers/web-clients.py '$(BIN)/locationd-places' .build/engines .build/places --all .build/peers/nominatim
	@echo "geopy's own tests"; PYTHONPATH='$(CURDIR)/.build/web-clients:$(CURDIR)/.build/peers/geopy' \
	  /usr/bin/python3 Tests/Servers/geopy-tests.py '$(BIN)/locationd-places' .build/places
	@echo '200 boards into PostgreSQL'; /usr/bin/python3 Tests/Servers/fleet.py '$(BIN)' .build/peers/paho
	@echo 'The same by NATS, which is killed in its work'; /usr/bin/python3 Tests/Servers/fleet.py '$(BIN)' .build/peers/paho nats
	@set -e; for mode in late past recording; do $(SUDO) /usr/bin/python3 Tests/Servers/chrony.py '$(BIN)' $$mode; done
	@$(SUDO) /usr/bin/python3 Tests/Servers/radios.py '$(BIN)' .build/peers/radios
	@$(SUDO) /usr/bin/python3 Tests/Servers/bluetooth.py '$(BIN)' .build/peers/radios
	@$(SUDO) env PYTHONPATH='$(CURDIR)/.build/receiver-clients' \
	  /usr/bin/python3 Tests/Servers/receiver-clients.py '$(BIN)' --all
	@LOCATIOND_PEERS=all LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest --filter PeerTests

FUZZ_SECONDS ?= 3600
fuzz: dependencies
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' Tests/Fuzz/run

clean:
	@rm -rf .build Tests/Benchmarks/.build Tests/Fuzz/.build Sources/CVersion/tree.c

# A build has the paths of its place in it.
place:
	@[ ! -s .build/place ] || [ "$$(cat .build/place)" = '$(CURDIR)' ] || { \
	  echo 'This checkout was copied: what was built in it is built anew.'; rm -rf .build; }
	@mkdir -p .build; [ -s .build/place ] || echo '$(CURDIR)' >.build/place

# Once: later it finds everything there and says nothing.
dependencies: place
	@config/dependencies '$(firstword $(MAKECMDGOALS))' '$(firstword $(SWIFT))' $(PACKAGES)
