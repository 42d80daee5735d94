"""Writes an extract of OpenStreetMap that nobody has mapped: islands.py FILE.osm.pbf

Two islands with roads of 4 km, 10 km of sea between them; a third one 4 km north of the first, with a ferry; a rock with
a path. On the first island a toll road, an unpaved one, and stairs."""
import sys

sys.dont_write_bytecode = True
import pbf

nodes, extract = [], pbf.Extract()


def line(places, **tags):
    refs = []
    for place in places:
        if place not in nodes:
            nodes.append(place)
        refs.append(nodes.index(place) + 1)
    extract.way(refs, tags)


def road(latitude, longitude, steps, north=0.0, east=0.002, **tags):
    line([(round(latitude + i * north, 6), round(longitude + i * east, 6)) for i in range(steps + 1)], **tags)


# The first island: main street, from 10.0 to 10.04, and what leaves it.
road(50.0, 10.0, 20, highway="primary", name="Main Street", maxspeed="50")
road(50.0, 10.0, 10, north=0.001, east=0, highway="residential", name="North Road")
road(50.01, 10.0, 20, highway="primary", name="Toll Road", toll="yes")
road(50.0, 10.04, 10, north=0.001, east=0, highway="residential", name="East Road")
road(50.0, 10.02, 5, north=-0.001, east=0, highway="unclassified", name="Gravel Road", surface="gravel")
road(49.995, 10.02, 10, highway="unclassified", name="South Road", surface="gravel")
road(50.0, 10.03, 2, north=0.0005, east=0, highway="steps", name="Stairs")
road(50.001, 10.03, 5, highway="footway", name="Promenade")
# The second, without a way to it.
road(50.0, 10.18, 20, highway="primary", name="Far Street")
road(50.0, 10.18, 10, north=0.001, east=0, highway="residential", name="Far Road")
# A rock with a path.
road(50.03, 10.09, 10, highway="footway", name="Rock Path")
# The third, with a ferry.
road(50.05, 10.0, 20, highway="primary", name="Harbour Street")
line([(50.01, 10.0), (50.03, 10.005), (50.05, 10.0)], route="ferry", name="Island Ferry")

latitudes, longitudes = ([round(place[i] * 1e7) for place in nodes] for i in (0, 1))
extract.write(sys.argv[1], latitudes, longitudes)
