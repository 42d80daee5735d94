"""Looks at what an app has set on its map, in a real browser: app.py ADDRESS SCENARIO [ARGUMENT]..."""
import base64
import json
import math
import os

from playwright.sync_api import expect

from chromium import main
from drive import run, settles, waits_for
from ground import NAMES


class Sight:
    """What the window shows now, point by point; `PICTURE` keeps it with this name."""

    def __init__(self, person, name):
        data = person.page.screenshot(scale="css")
        if os.environ.get("PICTURE"):
            window = json.loads(os.environ["WINDOW"])
            kind = window.get("color_scheme", "light") + ("-phone" if window.get("width", 1000) < 500 else "")
            with open(os.environ["PICTURE"].replace(".png", f"-{name}-{kind}.png"), "wb") as file:
                file.write(data)
        # A page without the map's rules about foreign pictures.
        self.page = person.context.new_page()
        self.page.evaluate("""async text => {
          const image = new Image();
          image.src = `data:image/png;base64,${text}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          window.ink = canvas.getContext('2d', {willReadFrequently: true});
          ink.drawImage(image, 0, 0);
        }""", base64.b64encode(data).decode())

    def at(self, x, y):
        return self.page.evaluate("([x, y]) => [...ink.getImageData(x, y, 1, 1).data].slice(0, 3)", [x, y])

    def row(self, y):
        """The colours along a line across the window."""
        colours = self.page.evaluate("y => [...ink.getImageData(0, y, ink.canvas.width, 1).data]", y)
        return [colours[i:i + 3] for i in range(0, len(colours), 4)]

    def close(self):
        self.page.close()


def differ(one, other):
    return max(abs(a - b) for a, b in zip(one, other))


def shows_squares(person, kind):
    """Every other square of the app's is there, from edge to edge, on its levels; a nearer look enlarges the nearest level,
    and from farther than its first level there is none."""
    page = person.page
    squares = page.locator("img.leaflet-tile[src^='data:image/png']")
    expect(squares.first).to_be_visible()
    pink = squares.first.evaluate("""image => {
      const ink = new OffscreenCanvas(1, 1).getContext('2d');
      ink.drawImage(image, 0, 0, 1, 1);
      return [...ink.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }""")

    def are_chequered(scale, name):
        """Each square of the level is in its place at this many times its size, and ends where the next one begins."""
        sight = Sight(person, f"{kind}-{name}")
        wrong = []
        for i in range(4):
            for j in range(3):
                for away in (-0.47, 0, 0.47):
                    x, y = 512 + scale * 256 * (i + 0.5 + away - 2), 384 + scale * 256 * (j + 0.5 - 1.5)
                    if 0 <= x < 1024 and 0 <= y < 700 and (differ(sight.at(x, y), pink) < 4) != ((i + j) % 2 == 0):
                        wrong.append((i, j, x, y, sight.at(x, y)))
        sight.close()
        return wrong
    settles(person)
    waits_for(person, lambda: not are_chequered(1, "level"), "squares of the level")
    # Those without a picture have no frame either; the app's cover the names of the map.
    expect(page.locator("img.leaflet-tile:not([src]):visible")).to_have_count(0)
    assert page.evaluate("""() => {
      const height = what => Number(getComputedStyle(document.querySelector(what).closest('.leaflet-pane')).zIndex);
      return height('img.leaflet-tile') > height('.leaflet-labels-pane canvas');
    }""")
    page.locator(".leaflet-control-zoom-in").click()
    settles(person)
    waits_for(person, lambda: not are_chequered(2, "near"), "larger squares")
    for _ in range(3):
        page.locator(".leaflet-control-zoom-out").click()
        settles(person)
    expect(squares).to_have_count(0)
    Sight(person, f"{kind}-far").close()


def shows_gradient(person):
    """Colours change along a line; one that is seen through does not darken where its pieces meet."""
    expect(person.page.locator(".leaflet-overlay-pane canvas")).to_be_visible()
    settles(person)

    def fault():
        sight = Sight(person, "line")
        far = [differ(sight.at(x, 307), colour) for x, colour in ((108, [255, 0, 0]), (512, [255, 255, 0]), (914, [0, 255, 0]))]
        along = [sight.at(x, 461) for x in range(320, 420)]
        sight.close()
        steps = [differ(one, other) for one, other in zip(along, along[1:])]
        ground = differ(along[50], [255, 255, 0]) < 40
        return None if max(far) < 40 and max(steps) < 16 and not ground else (far, max(steps), along[50])
    waits_for(person, lambda: not fault(), "the line's colours")


def draws_icon(person):
    """The app's picture keeps its size and its middle, on a circle that grows with the map."""
    page = person.page
    icon = page.locator(".leaflet-image-layer")
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    expect(icon).to_be_visible()

    def is_right():
        box = icon.bounding_box() if icon.count() == 1 else None
        return box and abs(box["width"] - 48) < 2 and abs(box["height"] - 64) < 2 \
            and abs(box["x"] + box["width"] / 2 - width / 2) < 2 and abs(box["y"] + box["height"] / 2 - height / 2) < 2

    def teal():
        """The circle's width along the middle of the window, beside the picture."""
        return page.locator(".leaflet-overlay-pane canvas").evaluate("""canvas => {
          const factor = canvas.width / canvas.getBoundingClientRect().width, top = canvas.getBoundingClientRect().top;
          const row = canvas.getContext('2d').getImageData(0, (innerHeight / 2 - top) * factor, canvas.width, 1).data;
          return row.filter((_, i) => i % 4 === 3 && row[i] > 60).length / factor;
        }""")
    for step, name in enumerate(("first", "near", "nearest")):
        if step:
            page.locator(".leaflet-control-zoom-in").click()
        settles(person)
        waits_for(person, is_right, f"the picture is as large, {icon.count()} {icon.first.bounding_box()}")
        print(name, teal())
        Sight(person, name).close()


def keeps_camera(person):
    """The page is as high as what a camera sees from its distance; what a person moves beyond the app's range and boundary
    comes back, and a tap has the app look from nearer by. Two pins are 2,000 metres apart, around the boundary's middle."""
    page = person.page
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    pins = [page.get_by_role("button", name=name, exact=True) for name in ("north", "south")]

    def feet():
        boxes = [pin.bounding_box() for pin in pins]
        return [box["y"] + box["height"] for box in boxes]

    def is_at(distance, name):
        def is_there():
            north, south = feet()
            return abs((south - north) * 2 * distance * math.tan(math.radians(15)) / height / 2000 - 1) < 0.02
        settles(person)
        waits_for(person, is_there, f"it is seen from {distance} metres: {feet()}")
        settles(person)
        Sight(person, name).close()
    expect(pins[0]).to_be_visible()
    is_at(8000, "first")
    for _ in range(2):
        page.locator(".leaflet-control-zoom-out").click()
        settles(person)
    is_at(16000, "far")
    page.mouse.move(width / 2 - 100, height / 2 - 150)
    page.mouse.down()
    page.mouse.move(width / 2 - 100, height / 2 + 150, steps=20)
    page.mouse.up()
    # Its middle is the boundary's edge, where the northern pin is.
    waits_for(person, lambda: abs(feet()[0] - height / 2) < 4, f"it comes back: {feet()}")
    settles(person)
    Sight(person, "edge").close()
    page.locator("#map").click(position={"x": width - 100, "y": height / 2 - 40})
    is_at(4000, "near")
    page.locator(".leaflet-control-zoom-in").click()
    settles(person)
    is_at(4000, "nearest")


RED = [255, 0, 0]


def shows_lines(person):
    """Joins, ends, dashes and blend modes of lines, whose places are parts of a rectangle in the middle of the window."""
    page = person.page
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    scale = min(width / 16000, height / 24000)
    expect(page.locator(".leaflet-overlay-pane canvas").first).to_be_visible()
    settles(person)

    def place(across, down):
        return round(width / 2 + (across - 0.5) * 16000 * scale), round(height / 2 + (down - 0.5) * 24000 * scale)

    def seen():
        sight = Sight(person, "lines")

        def colour(across, down, right=0, above=0):
            x, y = place(across, down)
            return sight.at(x + right, y - above)

        def is_red(*where):
            return differ(colour(*where), RED) < 60
        row = [differ(each, RED) < 60 for each in sight.row(place(0, 0.57)[1])]
        found = {
            # Above a corner, and beyond an end.
            "joins": [[is_red(x, 0.1, 0, above) for above in (1, 5, 10)] for x in (0.2, 0.5, 0.8)],
            "ends": [[is_red(0.7, y, -3), is_red(0.7, y, 5), is_red(0.7, y, 6, 6)] for y in (0.34, 0.41, 0.48)],
            "dashes": sum(one and not before for before, one in zip(row, row[1:])),
            "blends": [colour(x, 0.75) for x in (0.3, 0.5, 0.7)],
        }
        sight.close()
        return found

    found = {}

    def are_right():
        found.update(seen())
        return found["joins"] == [[True, True, True], [True, True, False], [True, False, False]] \
            and found["ends"] == [[True, False, False], [True, True, False], [True, True, True]] \
            and found["dashes"] == math.ceil(0.8 * 16000 * scale / 32) \
            and max(map(differ, found["blends"], ([0, 255, 0], [0, 255, 255], [255, 255, 255]))) < 20
    waits_for(person, are_right, found)


def opens_cluster(person):
    """A tap on a cluster has the app show its members: each stands by itself, as large as the app's part of the map is."""
    page = person.page
    cluster = page.locator(".leaflet-marker-pane .app.marker")
    expect(cluster).to_have_count(1)
    expect(cluster).to_have_text("5")
    settles(person)
    Sight(person, "closed").close()
    cluster.click()
    expect(page.get_by_role("button", name="stop ")).to_have_count(5)
    settles(person)
    Sight(person, "open").close()
    boxes = [each.bounding_box() for each in cluster.all()]
    assert len(boxes) == 5
    # The page's own look at them would leave most of the window empty.
    wide = max(box["x"] for box in boxes) - min(box["x"] for box in boxes)
    high = max(box["y"] for box in boxes) - min(box["y"] for box in boxes)
    assert wide > 0.6 * page.viewport_size["width"] or high > 0.6 * page.viewport_size["height"], boxes
    for i, one in enumerate(boxes):
        assert one["x"] >= 0 and one["x"] + one["width"] <= page.viewport_size["width"], boxes
        assert one["y"] >= 0 and one["y"] + one["height"] <= page.viewport_size["height"], boxes
        for other in boxes[:i]:
            assert abs(one["x"] - other["x"]) >= one["width"] or abs(one["y"] - other["y"]) >= one["height"], boxes


def drags(person):
    """An annotation goes with the mouse, without its callout, which comes again where it is dropped."""
    page = person.page
    pin, callout = page.get_by_role("button", name="stop", exact=True), page.locator(".callout")
    expect(pin).to_be_visible()
    settles(person)
    pin.click()
    expect(callout).to_contain_text("of a bus")

    def middle():
        box = pin.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def is_moved():
        now = middle()
        return abs(now[0] - x - 80) < 6 and abs(now[1] - y - 60) < 6
    x, y = middle()
    above = y - callout.bounding_box()["y"]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y + 60, steps=40)
    waits_for(person, is_moved, "it goes with the mouse")
    expect(callout).to_have_count(0)
    Sight(person, "dragging").close()
    with page.expect_request(lambda request: '"at"' in (request.post_data or "")):
        page.mouse.up()
    expect(callout).to_contain_text("of a bus")
    assert is_moved(), middle()
    waits_for(person, lambda: abs(middle()[1] - callout.bounding_box()["y"] - above) < 6, "the callout stands on it")
    # Nor has the ground seams, at a scale between two levels.
    sight = Sight(person, "dropped")
    across = sight.row(100)
    sight.close()
    assert max(differ(colour, across[0]) for colour in across) < 3, across


def tells_names(person, name):
    """Prints the names that are written on the map."""
    page = person.page
    page.add_init_script(NAMES)
    page.goto(person.address, wait_until="commit")
    waits_for(person, lambda: page.evaluate("window.names?.length > 5"), "names are written")
    settles(person)
    before = None

    def is_still():
        nonlocal before
        now = sorted(set(page.evaluate("names.map(each => each.text)")))
        last, before = before, now
        return now == last
    waits_for(person, is_still, "no more names come")
    expect(page.locator(".leaflet-labels-pane canvas")).to_be_visible(visible=name != "imagery")
    Sight(person, name).close()
    print(json.dumps({"names": before}))


if __name__ == "__main__":
    main(run, globals())
