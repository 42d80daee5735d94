#!/usr/bin/python3
"""geopy's own tests of its Nominatim and Photon classes, asked of locationd-places: geopy-tests.py PLACES DATA
PLACES is locationd-places, DATA the folder of the world and monaco.osm.pbf. PYTHONPATH has geopy and what its tests run with.
They ask about the whole world of OpenStreetMap; those that fail here are named below with the reason. Exits 1 where another
fails, or where one of those passes."""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import xml.etree.ElementTree as xml

from receiver import free_port

places, data = sys.argv[1:]
house = pathlib.Path(__file__).resolve().parents[2]

NO_STREETS = "streets and works of art of a country of which no extract is here"
BORDERS = "the border of a suburb: a geometry here is the place's point"
FAILING = {
    "TestNominatim.test_reverse_empty_result": "nothing is at sea: here the sea has its name",
    "TestNominatim.test_limit": NO_STREETS,
    "TestNominatim.test_viewbox": NO_STREETS,
    "TestNominatim.test_bounded": NO_STREETS,
    "TestPhoton.test_osm_tag": NO_STREETS,
    "TestNominatim.test_reverse_near_zero": "Algeria's provinces, which Natural Earth draws otherwise than OpenStreetMap",
    "TestNominatim.test_geocode_geometry_wkt": BORDERS,
    "TestNominatim.test_geocode_geometry_svg": BORDERS,
    "TestNominatim.test_geocode_geometry_kml": BORDERS,
    "TestNominatim.test_geocode_geometry_geojson": BORDERS,
}
# The classes ask this machine; the rest of each test is geopy's.
PLUGIN = """
import os

def pytest_collection_modifyitems(items):
    domains = {"TestNominatim": os.environ["WEB"], "TestPhoton": os.environ["WEB"] + "/photon"}
    for made in {item.cls for item in items}:
        def make_geocoder(cls, make=made.make_geocoder.__func__, domain=domains[made.__name__], **more):
            return make(cls, domain=domain, scheme="http", **more)
        made.make_geocoder = classmethod(make_geocoder)
"""


def unpack(folder):
    """geopy's tests are in its source package alone, which has the version and the sha256 of the list of web clients."""
    lines = (house / "config/pypi/web-clients.txt").read_text()
    wanted = folder / "geopy.txt"
    wanted.write_text(re.search(r"(?m)^geopy==.*(\n +--hash.*)+", lines)[0] + "\n")
    subprocess.run(
        ["/usr/bin/python3", "-m", "pip", "--quiet", "download", "--disable-pip-version-check", "--no-deps", "--require-hashes",
         "--no-binary", ":all:", "--no-build-isolation", "--dest", folder, "--requirement", wanted],
        check=True, env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
    with tarfile.open(next(folder.glob("geopy-*.tar.gz"))) as archive:
        archive.extractall(folder)
    return next(folder.glob("geopy-*/test")).parent


def service(folder):
    imported, configuration, port = folder / "imported", folder / "places.conf", free_port()
    imported.mkdir()
    configuration.write_text("")
    subprocess.run([places, "--import", os.path.join(data, "monaco.osm.pbf"), "--data", imported], check=True,
                   capture_output=True)
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", places, "--config", configuration, "--socket", folder / "socket", "--bus", "none",
         "--data", data, "--data", imported, "--http", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return child, port
        except OSError:
            time.sleep(0.02)
    raise SystemExit("locationd-places is not there")


folder = pathlib.Path(tempfile.mkdtemp(prefix="geopy-tests-"))
child = None
try:
    tree = unpack(folder)
    (tree / "asks_here.py").write_text(PLUGIN)
    child, port = service(folder)
    # In a tree of its own geopy is the one of the same version beside its tests.
    environment = {**os.environ, "WEB": f"127.0.0.1:{port}", "GEOPY_TEST_RETRIES": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = f"{tree}:{os.environ.get('PYTHONPATH', '')}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "asks_here", "-p", "no:cacheprovider", "--quiet", "--junitxml",
         folder / "report.xml", "test/geocoders/nominatim.py", "test/geocoders/photon.py"],
        cwd=tree, env=environment, capture_output=True, text=True, timeout=300)
    if not (folder / "report.xml").exists():
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    cases = list(xml.parse(folder / "report.xml").iter("testcase"))
    names = {f"{case.get('classname').rsplit('.', 1)[-1]}.{case.get('name')}": case for case in cases}
    failed = {name for name, case in names.items() if any(one.tag != "system-out" for one in case)}
    print(f"geopy's own tests: {len(names) - len(failed)} of {len(names)} pass")
    for name in sorted(failed & FAILING.keys()):
        print(f"  {name}: {FAILING[name]}")
    for name in sorted(failed - FAILING.keys()):
        print("WRONG", name, next(iter(names[name])).get("message"))
    for name in sorted(FAILING.keys() - failed):
        print("WRONG", name, "passes" if name in names else "is no test any more")
finally:
    if child:
        child.terminate()
        child.wait(10)
    shutil.rmtree(folder, ignore_errors=True)
sys.exit(len(names) < 40 or failed != FAILING.keys())
