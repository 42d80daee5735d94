# make run    live location events from a bundled recording
# make test   every test
# Both install what is missing first. `make help` lists the rest.

SWIFT   ?= swift
# Swift's own libraries and the C++ library are linked in, for what is used of them; system libraries
# are found where the system has them, never beside the program. Installed programs are stripped: nothing
# is said for debuggers. PACK=1 packs address fix-ups too, which
# takes half a megabyte off each program and needs glibc 2.36 to run.
RELEASE  := $(SWIFT) build -c release --disable-build-manifest-caching --static-swift-stdlib \
  -debug-info-format none --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --gc-sections \
  -Xlinker -L$(CURDIR)/.build/archives $(if $(PACK),-Xlinker -zpack-relative-relocs)
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
ROOT     = $(DESTDIR)$(PREFIX)
ETC      = $(DESTDIR)/etc/locationd
# Into this machine as root, into a folder of one's own as oneself.
INTO     = $(if $(DESTDIR),,$(SUDO))
# Files that are installed beside programs and configuration, as FILE:FOLDER under PREFIX.
INSTALLED := \
  systemd/locationd.service:lib/systemd/system \
  systemd/locationd.socket:lib/systemd/system \
  systemd/locationd-agent.service:lib/systemd/user \
  systemd/sysusers.d/locationd.conf:lib/sysusers.d \
  config/dbus/org.locationd.policy:share/polkit-1/actions \
  config/polkit/locationd.rules:share/polkit-1/rules.d \
  systemd/tmpfiles.d/locationd.conf:lib/tmpfiles.d \
  systemd/60-locationd.rules:lib/udev/rules.d \
  systemd/60-locationd.preset:lib/systemd/user-preset \
  config/dbus/org.locationd.conf:share/dbus-1/system.d \
  config/dbus/org.locationd.service:share/dbus-1/system-services \
  config/dbus/org.locationd.Manager1.xml:share/dbus-1/interfaces \
  config/dbus/org.locationd.Client1.xml:share/dbus-1/interfaces \
  config/dbus/org.locationd.Permissions1.xml:share/dbus-1/interfaces \
  config/dbus/org.locationd.Agents1.xml:share/dbus-1/interfaces \
  config/dbus/org.locationd.Agent1.xml:share/dbus-1/interfaces \
  README.md:share/doc/locationd \
  NEWS:share/doc/locationd \
  config/examples/agent.py:share/doc/locationd/examples \
  config/examples/watch.py:share/doc/locationd/examples \
  config/examples/watch.c:share/doc/locationd/examples \
  config/examples/status.sh:share/doc/locationd/examples \
  config/examples/locationd-metrics.service:share/doc/locationd/examples \
  config/examples/locationd-metrics.timer:share/doc/locationd/examples \
  config/examples/renumber.sh:share/doc/locationd/examples \
  config/man/org.locationd.5:share/man/man5 \
  config/man/locationd-agent.1:share/man/man1 \
  config/man/locationd-admin.7:share/man/man7 \
  config/man/locationd-socket.7:share/man/man7 \
  config/man/locationd.8:share/man/man8 \
  config/man/locationd.conf.5:share/man/man5

# Files that install-locationctl adds: places can be asked without the daemon.
COMMAND := \
  config/completions/locationctl:share/bash-completion/completions \
  config/completions/_locationctl:share/zsh/vendor-completions \
  config/completions/locationctl.fish:share/fish/vendor_completions.d \
  config/man/locationctl.1:share/man/man1

# Files that install-geoclue adds, where locationd is to serve GeoClue's programs.
GEOCLUE := \
  config/geoclue/org.locationd.GeoClue2.conf:share/dbus-1/system.d \
  config/geoclue/org.freedesktop.GeoClue2.service:share/dbus-1/system-services \
  config/geoclue/geoclue.conf:lib/locationd/locationd.conf.d \
  config/geoclue/10-xdg-desktop-portal.conf:lib/locationd/policy.d

# Files that install-tracker adds.
TRACKER := \
  systemd/locationd-tracker.service:lib/systemd/system \
  systemd/locationd-tracker.socket:lib/systemd/system \
  systemd/sysusers.d/locationd-tracker.conf:lib/sysusers.d \
  config/tracker/locationd-tracker.rules:share/polkit-1/rules.d \
  config/man/locationd-van.7:share/man/man7 \
  config/man/locationd-tracker.8:share/man/man8 \
  config/man/locationd-tracker.conf.5:share/man/man5 \
  $(foreach file,README.md schema.sql ingest.py grafana.json mosquitto.conf acl ca enrol.py,config/fleet/$(file):share/doc/locationd-tracker/fleet) \
  $(foreach name,entry message status,config/fleet/schemas/$(name).schema.json:share/doc/locationd-tracker/fleet/schemas)

# Files that install-share adds.
SHARE := \
  systemd/locationd-share.service:lib/systemd/system \
  systemd/locationd-share.socket:lib/systemd/system \
  systemd/locationd-share-nmea.socket:lib/systemd/system \
  systemd/sysusers.d/locationd-share.conf:lib/sysusers.d \
  config/share/chrony.conf:lib/systemd/system/chrony.service.d/locationd-share.conf \
  config/man/locationd-share.8:share/man/man8

# Files that install-places adds, and the world's places, where they have been made.
PLACES := \
  systemd/locationd-places.service:lib/systemd/system \
  systemd/locationd-places.socket:lib/systemd/system \
  systemd/locationd-places-http.socket:lib/systemd/system \
  systemd/sysusers.d/locationd-places.conf:lib/sysusers.d \
  config/dbus/org.locationd.Places.conf:share/dbus-1/system.d \
  config/dbus/org.locationd.Places.service:share/dbus-1/system-services \
  config/dbus/org.locationd.Places1.xml:share/dbus-1/interfaces \
  config/man/locationd-places-data.7:share/man/man7 \
  config/man/locationd-places.8:share/man/man8 \
  config/man/locationd-places.conf.5:share/man/man5
# The folder of world.sqlite, postcodes.sqlite and the base map.
PLACES_DATA ?= .build/places
PLACES_FILES := world.sqlite postcodes.sqlite ground.bin names.json

# Files that install-timezone adds.
TIMEZONE := \
  systemd/locationd-timezone.service:lib/systemd/system \
  systemd/sysusers.d/locationd-timezone.conf:lib/sysusers.d \
  config/timezone/locationd-timezone.rules:share/polkit-1/rules.d \
  config/timezone/org.locationd.Timezone.conf:share/dbus-1/system.d \
  config/dbus/org.locationd.Timezone1.xml:share/dbus-1/interfaces \
  config/man/locationd-timezone.8:share/man/man8

# Files that install-map adds.
MAP := config/man/locationd-map.8:share/man/man8 \
  config/map/org.locationd.Map.desktop:share/applications \
  config/map/org.locationd.Settings.desktop:share/applications \
  systemd/locationd-settings.service:lib/systemd/user \
  config/map/org.locationd.Map.svg:share/icons/hicolor/scalable/apps

# Packages that it is built with, beyond the Swift toolchain; dbus for the tests.
PACKAGES := dbus libcurl4-openssl-dev libdbus-1-dev libgeographiclib-dev libgps-dev libjs-leaflet libjs-leaflet-markercluster libmicrohttpd-dev libmosquitto-dev libosmium2-dev libprotozero-dev libsqlite3-dev libsystemd-dev pkg-config zlib1g-dev
# Further packages of some goals: $(call for,GOALS,PACKAGES).
for = $(if $(filter $(1),$(MAKECMDGOALS)),$(2))

.DEFAULT_GOAL := help
.PHONY: help run test check format build version release build-places archives install uninstall install-geoclue uninstall-geoclue install-tracker uninstall-tracker deb repository try bench peers soak fuzz clean dependencies place places install-locationctl uninstall-locationctl install-locationd uninstall-locationd install-places uninstall-places install-places-data uninstall-places-data install-map uninstall-map install-timezone uninstall-timezone install-share uninstall-share

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
	@echo 'make deb      make Debian packages of it, in .build'
	@echo 'make repository DIR=FOLDER KEY=NAME  make a signed apt repository of them'
	@echo 'make try      install, upgrade, restart and purge it in fresh Debian 12 machines with systemd; as root'
	@echo 'make places   make the data of places: the world, in .build/places'
	@echo 'make bench    measure: speed of decoding, latency, cost and memory of the daemon, cost of D-Bus'
	@echo 'make soak     an hour of clients that come, go and misbehave; SOAK_SECONDS=N for another time'
	@echo 'make fuzz     feed nonsense to each decoder of foreign bytes for an hour; FUZZ_SECONDS=N for another time'
	@echo 'make clean    remove what was built'

run: release
	@config/run '$(BIN)' Tests/Recordings/parachute.nmea

# systemd's tools look at the units, without it running; dpkg's make a package; gpsd is asked as it is;
# Python hands connections on, plays logind, polkit and desktops and, as gdbus, is a client on the bus, which
# sandboxes reach through the proxy, and programs of GeoClue's in them through the portal.
PACKAGES += $(call for,test,apt-utils bubblewrap chromium chrony dpkg-dev fonts-noto-cjk gdal-bin gir1.2-geoclue-2.0 gnupg gpsbabel gpsd gpsd-clients gpsd-tools libglib2.0-bin libxml2-utils lintian mosquitto mosquitto-clients openssl polkitd python3 python3-dbus python3-dbusmock python3-gi python3-gps python3-jsonschema sqlite3 systemd uidmap xdg-dbus-proxy xdg-desktop-portal)
# The world is made, and engines and a browser are fetched, while the programs are built.
test: dependencies
	@start=$$(date +%s); \
	$(MAKE) --no-print-directory -j4 release places .build/engines/done .build/schemas/gpx.xsd .build/browser .build/receiver-clients .build/web-clients \
	  && echo "Programs, the world, engines and the browser took $$(($$(date +%s) - start)) s."
	@LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest $(OR_FULL)

# The schemas that exports are checked by, once.
.build/schemas/gpx.xsd: config/pypi/schemas.txt | dependencies
	@Tests/fetch-schemas .build/schemas && touch $@

# Programs for tests, by lists that name each file's sha256: one that drives Debian's browser, clients of gpsd's,
# and clients of Nominatim's, Photon's and OSRM's.
.build/browser .build/receiver-clients .build/web-clients .build/peers/amqtt .build/peers/paho: .build/%: config/pypi/%.txt | dependencies
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
	@config/deb/version --write Sources/CVersion/tree.c

# Where the world is made, too, what makes it comes first: the world is made while the programs are built.
release: archives version $(if $(filter places,$(MAKECMDGOALS)),build-places)
	@$(RELEASE) --target Programs $(QUIET) $(OR_FULL)

build-places: archives version
	@$(RELEASE) --product build-places --quiet

# The C++ library's archives, under the names that the linker looks for.
archives: dependencies
	@mkdir -p .build/archives; for pair in libstdc++.a:libstdc++.a libgcc_eh.a:libgcc_s.a; do \
	  ln -sf "$$(clang -print-file-name=$${pair%:*})" ".build/archives/$${pair#*:}"; done

install: install-locationctl install-locationd install-places install-places-data install-map

# A configuration that is there already stays as it is.
install-locationctl: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationctl' '$(ROOT)/bin/locationctl'
	@set -e; for pair in $(COMMAND); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done

uninstall-locationctl:
	@$(INTO) rm -f '$(ROOT)/bin/locationctl'
	@set -e; for pair in $(COMMAND); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done

install-locationd: release
	@set -e; for program in locationd locationd-agent; do \
	  $(INTO) install -D -s -m 755 '$(BIN)'/$$program '$(ROOT)'/bin/$$program; done
	@set -e; for pair in $(INSTALLED); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@$(INTO) sed -i 's,^\(ExecStart\|ExecReload\)=/usr/,\1=$(PREFIX)/,' \
	  '$(ROOT)/lib/systemd/system/locationd.service' '$(ROOT)/lib/systemd/user/locationd-agent.service'
	@[ -e '$(ETC)/locationd.conf' ] || \
	  $(INTO) install -D -m 644 config/locationd.conf '$(ETC)/locationd.conf'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || { \
	  $(INTO) systemd-sysusers && $(INTO) systemctl daemon-reload && \
	  { ! command -v udevadm >/dev/null || $(INTO) udevadm control --reload; } && \
	  { $(INTO) systemctl reload dbus.service || true; } && \
	  $(INTO) systemctl --quiet --global preset locationd-agent.service && \
	  echo 'Installed. It starts with: sudo systemctl enable --now locationd'; \
	  echo 'Your programs are told apart, and you are asked, from your next login on, or at once with:'; \
	  echo '  systemctl --user start locationd-agent'; }

uninstall: uninstall-map uninstall-places-data uninstall-places uninstall-locationd uninstall-locationctl

# A configuration that was changed is its owner's, and stays.
uninstall-locationd:
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  { $(INTO) systemctl --quiet disable --now locationd.service locationd.socket; \
	  $(INTO) systemctl --quiet --global disable locationd-agent.service; } || true
	@$(INTO) rm -f '$(ROOT)/bin/locationd' '$(ROOT)/bin/locationd-agent'
	@set -e; for pair in $(INSTALLED); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@! cmp -s config/locationd.conf '$(ETC)/locationd.conf' || $(INTO) rm -f '$(ETC)/locationd.conf'
	@for folder in '$(ETC)/locationd.conf.d' '$(ETC)'; do \
	  [ ! -d "$$folder" ] || $(INTO) rmdir --ignore-fail-on-non-empty "$$folder"; done
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(INTO) systemctl daemon-reload

# GeoClue's own files are not taken from under it.
install-geoclue:
	@name='$(ROOT)/share/dbus-1/system-services/org.freedesktop.GeoClue2.service'; \
	[ ! -e "$$name" ] || grep -q locationd "$$name" || { \
	  echo 'GeoClue is installed here, and has its name: remove it first.' >&2; exit 1; }
	@set -e; for pair in $(GEOCLUE); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl try-restart locationd.service

uninstall-geoclue:
	@set -e; for pair in $(GEOCLUE); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl try-restart locationd.service

# A configuration that is there already stays as it is.
install-tracker: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationd-tracker' '$(ROOT)/bin/locationd-tracker'
	@set -e; for pair in $(TRACKER); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@$(INTO) sed -i 's,^\(ExecStart\|ExecReload\)=/usr/,\1=$(PREFIX)/,' \
	  '$(ROOT)/lib/systemd/system/locationd-tracker.service'
	@[ -e '$(ETC)/tracker.conf' ] || \
	  $(INTO) install -D -m 644 config/tracker/tracker.conf '$(ETC)/tracker.conf'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || { \
	  $(INTO) systemd-sysusers && $(INTO) systemctl daemon-reload && \
	  echo 'Installed. It starts with: sudo systemctl enable --now locationd-tracker'; \
	  echo 'It keeps nothing before you let it know where this machine is:'; \
	  echo '  sudo locationctl grant unit:locationd-tracker.service always --uid locationd-tracker'; }

# The track, and a configuration that was changed, are their owner's, and stay.
uninstall-tracker:
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl --quiet disable --now locationd-tracker.service locationd-tracker.socket || true
	@$(INTO) rm -f '$(ROOT)/bin/locationd-tracker'
	@set -e; for pair in $(TRACKER); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@! cmp -s config/tracker/tracker.conf '$(ETC)/tracker.conf' || $(INTO) rm -f '$(ETC)/tracker.conf'
	@[ ! -d '$(ETC)' ] || $(INTO) rmdir --ignore-fail-on-non-empty '$(ETC)'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(INTO) systemctl daemon-reload

# A configuration that is there already stays as it is. Nothing listens yet.
install-share: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationd-share' '$(ROOT)/bin/locationd-share'
	@set -e; for pair in $(SHARE); do file=$${pair%:*}; folder=$${pair#*:}; \
	  case $$folder in *.conf) to="$$folder";; *) to="$$folder/$${file##*/}";; esac; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$$to; done
	@$(INTO) sed -i 's,^\(ExecStart\|ExecReload\)=/usr/,\1=$(PREFIX)/,' \
	  '$(ROOT)/lib/systemd/system/locationd-share.service'
	@[ -e '$(ETC)/share.conf' ] || \
	  $(INTO) install -D -m 644 config/share/share.conf '$(ETC)/share.conf'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || { \
	  $(INTO) systemd-sysusers && $(INTO) systemctl daemon-reload && \
	  echo "Installed. gpsd's programs find it with: sudo systemctl enable --now locationd-share.socket"; }

# A configuration that was changed is its owner's, and stays.
uninstall-share:
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl --quiet disable --now locationd-share.service locationd-share.socket \
	    locationd-share-nmea.socket || true
	@$(INTO) rm -f '$(ROOT)/bin/locationd-share'
	@set -e; for pair in $(SHARE); do file=$${pair%:*}; folder=$${pair#*:}; \
	  case $$folder in *.conf) to="$$folder";; *) to="$$folder/$${file##*/}";; esac; \
	  $(INTO) rm -f '$(ROOT)'/$$to; done
	@! cmp -s config/share/share.conf '$(ETC)/share.conf' || $(INTO) rm -f '$(ETC)/share.conf'
	@for folder in '$(ETC)' '$(ROOT)/lib/systemd/system/chrony.service.d'; do \
	  [ ! -d "$$folder" ] || $(INTO) rmdir --ignore-fail-on-non-empty "$$folder"; done
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(INTO) systemctl daemon-reload

install-places: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationd-places' '$(ROOT)/bin/locationd-places'
	@set -e; for pair in $(PLACES); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@$(INTO) sed -i 's,^ExecStart=/usr/,ExecStart=$(PREFIX)/,' \
	  '$(ROOT)/lib/systemd/system/locationd-places.service'
	@[ -e '$(ETC)/places.conf' ] || \
	  $(INTO) install -D -m 644 config/places/places.conf '$(ETC)/places.conf'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || { \
	  $(INTO) systemd-sysusers && $(INTO) systemctl daemon-reload && \
	  { $(INTO) systemctl reload dbus.service || true; } && \
	  $(INTO) systemctl --quiet enable --now locationd-places.socket; }

# Imported places, and a configuration that was changed, are their owner's, and stay.
uninstall-places:
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl --quiet disable --now locationd-places.service locationd-places.socket \
	    locationd-places-http.socket || true
	@$(INTO) rm -f '$(ROOT)/bin/locationd-places'
	@set -e; for pair in $(PLACES); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@! cmp -s config/places/places.conf '$(ETC)/places.conf' || $(INTO) rm -f '$(ETC)/places.conf'
	@[ ! -d '$(ETC)' ] || $(INTO) rmdir --ignore-fail-on-non-empty '$(ETC)'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(INTO) systemctl daemon-reload

# Programs find their data there under any prefix.
install-places-data: places
	@set -e; for file in $(PLACES_FILES); do [ ! -e "$(PLACES_DATA)/$$file" ] || \
	  $(INTO) install -D -m 644 "$(PLACES_DATA)/$$file" "$(DESTDIR)/usr/share/locationd/places/$$file"; done

uninstall-places-data:
	@set -e; for file in $(PLACES_FILES); do $(INTO) rm -f "$(DESTDIR)/usr/share/locationd/places/$$file"; done
	@for folder in '$(DESTDIR)/usr/share/locationd/places' '$(DESTDIR)/usr/share/locationd'; do \
	  [ ! -d "$$folder" ] || $(INTO) rmdir --ignore-fail-on-non-empty "$$folder"; done

install-map: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationd-map' '$(ROOT)/bin/locationd-map'
	@set -e; for pair in $(MAP); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done

uninstall-map:
	@$(INTO) rm -f '$(ROOT)/bin/locationd-map'
	@set -e; for pair in $(MAP); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done

# Off until an administrator says so.
install-timezone: release
	@$(INTO) install -D -s -m 755 '$(BIN)/locationd-timezone' '$(ROOT)/bin/locationd-timezone'
	@set -e; for pair in $(TIMEZONE); do file=$${pair%:*}; \
	  $(INTO) install -D -m 644 $$file '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@$(INTO) sed -i 's,^ExecStart=/usr/,ExecStart=$(PREFIX)/,' \
	  '$(ROOT)/lib/systemd/system/locationd-timezone.service'
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || { \
	  $(INTO) systemd-sysusers && $(INTO) systemctl daemon-reload && \
	  { $(INTO) systemctl reload dbus.service || true; } && \
	  echo 'Installed. The time zone follows with: sudo locationctl timezone follow on'; }

uninstall-timezone:
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || \
	  $(INTO) systemctl --quiet disable --now locationd-timezone.service || true
	@$(INTO) rm -f '$(ROOT)/bin/locationd-timezone'
	@set -e; for pair in $(TIMEZONE); do file=$${pair%:*}; \
	  $(INTO) rm -f '$(ROOT)'/$${pair#*:}/$${file##*/}; done
	@[ -n '$(DESTDIR)' ] || [ ! -d /run/systemd/system ] || $(INTO) systemctl daemon-reload

# dpkg-shlibdeps says which libraries it needs.
PACKAGES += $(call for,deb repository try,dpkg-dev)
# Packages of one change are the same bytes, whenever they are made.
deb: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y config/deb/changelog)
deb: release places
	@rm -rf .build/deb
	@$(MAKE) --no-print-directory install-locationd RELEASE=true DESTDIR='$(CURDIR)/.build/deb' PREFIX=/usr
	@config/deb/build '$(CURDIR)/.build/deb' .build/locationd.deb
	@rm -rf .build/deb-command; mkdir -p .build/deb-command
	@$(MAKE) --no-print-directory install-locationctl RELEASE=true DESTDIR='$(CURDIR)/.build/deb-command' PREFIX=/usr
	@config/command/build '$(CURDIR)/.build/deb-command' .build/locationctl.deb
	@rm -rf .build/deb-geoclue; mkdir -p .build/deb-geoclue
	@$(MAKE) --no-print-directory install-geoclue DESTDIR='$(CURDIR)/.build/deb-geoclue' PREFIX=/usr
	@config/geoclue/build '$(CURDIR)/.build/deb-geoclue' \
	  "$$('$(BIN)/locationd' --version | sed 's/.* //')" .build/locationd-geoclue.deb
	@rm -rf .build/deb-tracker; mkdir -p .build/deb-tracker
	@$(MAKE) --no-print-directory install-tracker RELEASE=true DESTDIR='$(CURDIR)/.build/deb-tracker' PREFIX=/usr
	@config/tracker/build '$(CURDIR)/.build/deb-tracker' .build/locationd-tracker.deb
	@rm -rf .build/deb-share; mkdir -p .build/deb-share
	@$(MAKE) --no-print-directory install-share RELEASE=true DESTDIR='$(CURDIR)/.build/deb-share' PREFIX=/usr
	@config/share/build '$(CURDIR)/.build/deb-share' .build/locationd-share.deb
	@rm -rf .build/deb-places; mkdir -p .build/deb-places
	@$(MAKE) --no-print-directory install-places RELEASE=true DESTDIR='$(CURDIR)/.build/deb-places' PREFIX=/usr
	@config/places/build '$(CURDIR)/.build/deb-places' .build/locationd-places.deb
	@rm -rf .build/deb-places-data; mkdir -p .build/deb-places-data
	@[ ! -e '$(PLACES_DATA)/world.sqlite' ] || { \
	  $(MAKE) --no-print-directory install-places-data DESTDIR='$(CURDIR)/.build/deb-places-data' && \
	  config/places/build-data '$(CURDIR)/.build/deb-places-data' \
	    "$$('$(BIN)/locationd' --version | sed 's/.* //')" .build/locationd-places-data.deb; }
	@rm -rf .build/deb-map; mkdir -p .build/deb-map
	@$(MAKE) --no-print-directory install-map RELEASE=true DESTDIR='$(CURDIR)/.build/deb-map' PREFIX=/usr
	@config/map/build '$(CURDIR)/.build/deb-map' .build/locationd-map.deb
	@rm -rf .build/deb-timezone; mkdir -p .build/deb-timezone
	@$(MAKE) --no-print-directory install-timezone RELEASE=true DESTDIR='$(CURDIR)/.build/deb-timezone' PREFIX=/usr
	@config/timezone/build '$(CURDIR)/.build/deb-timezone' .build/locationd-timezone.deb

# The caller's gpg key signs it.
PACKAGES += $(call for,repository,apt-utils gnupg)
repository: $(if $(and $(DIR),$(KEY)),deb)
	@[ -n '$(DIR)' ] && [ -n '$(KEY)' ] || { \
	  echo 'make repository DIR=/srv/apt KEY=you@example.org [URL=https://apt.example.org]' >&2; exit 2; }
	@config/repository/make '$(DIR)' '$(KEY)' '$(or $(URL),file:$(abspath $(DIR)))' .build/location*.deb

# In machines of their own, with systemd: nothing of this one is touched. TRY='PART…' tries so much of it.
PACKAGES += $(call for,try,debootstrap git systemd-container python3)
try: deb .build/try/before/made
	@$(RELEASE) --product try-app --quiet
	@$(SUDO) Tests/Try/run .build $(TRY)

# The packages that an upgrade begins with, once. The world's places are those of now.
BEFORE := 7528323
.build/try/before/made: | places
	@echo 'Building the packages of $(BEFORE), once…'
	@rm -rf .build/try/before; mkdir -p .build/try/before/tree/.build
	@git archive $(BEFORE) | tar -x -C .build/try/before/tree
	@ln -s '$(CURDIR)/.build/places' .build/try/before/tree/.build/places
	@$(MAKE) --no-print-directory -C .build/try/before/tree deb
	@mv .build/try/before/tree/.build/locationd*.deb .build/try/before; rm -rf .build/try/before/tree; touch '$@'

# The world's places and postcodes, of data in packages of Debian's and Python's; once, and again when what makes it changes.
PACKAGES += $(call for,places test bench soak install install-places-data deb repository try .build/%,python3 python3-pip unzip)
places: .build/places/world.sqlite .build/places/ground.bin
# Monaco comes with the world's data.
.build/places/monaco.osm.pbf: | dependencies
	@config/places/fetch .build/places/raw
.build/engines/done: Tests/Servers/fetch-engines config/pypi/engines.txt | .build/places/monaco.osm.pbf
	@rm -f '$@'; Tests/Servers/fetch-engines .build/places/monaco.osm.pbf .build/engines
.build/places/world.sqlite: $(wildcard Sources/build-places/*.swift $(addprefix Sources/PlaceCore/,*.swift Addresses/*.swift Ranking/*.swift Shapes/*.swift Text/*.swift) Sources/PlaceStore/WorldSchema.swift Sources/PlaceStore/PostcodeTables.swift config/places/fetch config/pypi/places.txt config/places/debian.txt config/places/landmarks config/places/zones) | archives .build/places/monaco.osm.pbf
	@echo "Making the world's places, once…"
	@config/places/fetch .build/places/raw
	@$(RELEASE) --product build-places --quiet
	@'$(BIN)/build-places' .build/places/raw .build/places && touch '$@' .build/places/ground.bin
# Alone where the world came from elsewhere.
.build/places/ground.bin: .build/places/world.sqlite | archives
	@config/places/fetch .build/places/raw
	@$(RELEASE) --product build-places --quiet
	@'$(BIN)/build-places' --map .build/places/raw .build/places && touch '$@'

# A gpsd is what the share is measured beside.
PACKAGES += $(call for,bench,gpsd)
BENCH = $(RELEASE) --package-path Tests/Benchmarks --quiet
BENCHES := $(CURDIR)/Tests/Benchmarks/.build/release
bench: release places .build/engines/done
	@$(BENCH)
	@'$(BENCHES)/bench-places' .build/places .build/places/raw/airportsdata/airportsdata/airports.csv
	@'$(BENCHES)/bench-places' .build/places --questions Tests/Benchmarks/questions
	@echo 'The same over HTTP'
	@python3 Tests/Servers/web-bench.py '$(BIN)/locationd-places' .build/places Tests/Benchmarks/questions --strict
	@'$(BIN)/locationd-places' --import .build/places/monaco.osm.pbf --data .build/places/monaco >/dev/null
	@'$(BENCHES)/bench-places' .build/places --streets .build/places/monaco
	@echo "Ways on Monaco beside OSRM's; the first seed is that of the trials"
	@python3 Tests/Servers/directions.py '$(BIN)/locationd-places' .build/engines .build/places/monaco.osm.pbf \
	  200 7 20261125 4711 --strict
	@echo 'Ways of 270 to 330 km in a made country of a million junctions'
	@python3 Tests/Servers/far.py '$(BIN)/locationd-places' .build/country --strict
	@'$(BENCHES)/bench-decode'
	@'$(BENCHES)/bench-services' '$(BIN)'
	@'$(BENCHES)/bench-daemon' '$(BIN)'
	@'$(BENCHES)/bench-corelocation' '$(BIN)'
	@dbus-run-session -- '$(BENCHES)/bench-bus'
	@echo "Fifty programs that know gpsd, beside gpsd's own"
	@python3 Tests/Servers/share-bench.py '$(BIN)' --strict
	@echo 'A track of 30 million entries'
	@python3 Tests/Servers/track-bench.py '$(BIN)' --strict
	@'$(BENCHES)/bench-geoclue' '$(BIN)'

SOAK_SECONDS ?= 3600
soak: release places
	@$(BENCH) --product bench-places
	@'$(BENCHES)/bench-places' .build/places --hostile 1000000
	@SOAK_SECONDS='$(SOAK_SECONDS)' LOCATIOND_PROGRAMS='$(BIN)' $(SWIFT) test --disable-xctest \
	  --filter 'SoakTests|GpsdHostileTests|BusCallTests|WaySearchTests|RoadPartitionTests|BrokerKeysTests'

# Others' packages may start services: for a machine that is thrown away.
PACKAGES += $(call for,peers,chrony collectd-core direwolf ejabberd erlang-base geoclue-2.0 gpsd gpsd-clients mosquitto mosquitto-clients nats-server openssl osm2pgsql postgresql-15 postgresql-15-postgis-3 prometheus python3-gi python3-gps python3-pip python3-psycopg python3-qgis python3-venv rabbitmq-server)
# Servers of PyPI's, each with a Python of its own.
.build/peers/home-assistant .build/peers/nominatim: .build/%: config/pypi/%.txt | dependencies
	@echo 'Fetching $(@F) and its $(shell grep -c == config/pypi/$*.txt) packages from PyPI…'
	@rm -rf $@ $@.new; /usr/bin/python3 -m venv $@.new && $@.new/bin/python -m pip --quiet install --disable-pip-version-check \
	  --no-deps --require-hashes --requirement $< && mv $@.new $@ && touch $@

peers: dependencies release .build/receiver-clients .build/web-clients .build/engines/done .build/peers/amqtt .build/peers/paho .build/peers/home-assistant .build/peers/nominatim
	@echo "200 questions, beside Nominatim's and OSRM's own servers"; PYTHONPATH='$(CURDIR)/.build/web-clients' \
	  /usr/bin/python3 Tests/Servers/web-clients.py '$(BIN)/locationd-places' .build/engines .build/places --all .build/peers/nominatim
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
