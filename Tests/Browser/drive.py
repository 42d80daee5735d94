"""Does in a real browser what a person does on the map: drive.py ADDRESS SCENARIO [ARGUMENT]...

It fails where the page is not as it should be, with a picture of it beside the message.
"""
import http.server
import json
import math
import os
import re
import threading
import time
import xml.etree.ElementTree
from urllib.parse import urlsplit

from playwright.sync_api import expect

from chromium import main

PATIENCE = 300_000
expect.set_options(timeout=PATIENCE)


class Person:
    """A browser window on the map, and all that it asks of the network."""

    def __init__(self, browser, address, width=1000, height=700, **context):
        self.address = address
        self.context = browser.new_context(viewport={"width": width, "height": height}, **context)
        self.requests, self.complaints = [], []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.open()

    def open(self):
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: line.type == "error" and self.complaints.append(line.text))
        page.goto(self.address, wait_until="commit")
        return page

    def here(self):
        expect(self.page.locator("#here")).to_contain_text(re.compile(r"-?\d+\.\d{5}, -?\d+\.\d{5}"))
        return self.page.locator("#here").inner_text()

    def button(self, name):
        return self.page.locator("#tools, #card").get_by_role("button", name=name, exact=True)

    def map_at(self, x, y):
        self.page.locator("#map").click(position={"x": x, "y": y})

    def finish(self):
        assert not self.complaints, self.complaints
        strangers = [url for url in self.requests if urlsplit(url).hostname not in ("127.0.0.1", None)]
        assert not strangers, strangers
        assert all(urlsplit(url).scheme in ("http", "data", "blob") for url in self.requests)
        print(json.dumps({"requests": len(self.requests), "elsewhere": len(strangers)}))


class Cost:
    """The seconds of a processor that a page's thread takes, however busy the machine is."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.before = self.now()

    def now(self):
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def seconds(self):
        return self.now() - self.before


# Numbers, objects and sorting, as a page has them.
WORK = """() => {
  const rows = [];
  for (let i = 0, number = 1; i < 2e6; i++) {
    number = (number * 1103515245 + 12345) % 2147483648;
    if (i % 16 === 0) rows.push({at: [number, i], text: String(number)});
  }
  rows.sort((a, b) => a.at[0] - b.at[0]);
  return rows.length;
}"""


def slowness(page):
    """How many times longer the page's work takes now than the bounds suppose, by its seconds of a processor: they suppose
    0.06 s, which is reckoned from a machine that takes 0.15 s and was 2 to 2.7 times slower than that of the bounds."""
    costs = []
    for _ in range(3):
        cost = Cost(page)
        page.evaluate(WORK)
        costs.append(cost.seconds())
    return max(1, min(costs) / 0.06)


def share(page):
    """The same by a clock on the wall: other programs want the cores, too."""
    return slowness(page) * min(4, max(1, os.getloadavg()[0] / os.cpu_count()))


def position(person, place, before):
    """The position is there within a second of the command, which took so long to serve the page. A machine that is slow
    or busy has more than one try, and its share of the time."""
    person.here()
    allowed = share(person.page)
    best = None
    for _ in range(5):
        begun = time.time()
        person.page.goto(person.address, wait_until="commit")
        text = person.here()
        seconds = time.time() - begun + float(before)
        assert place in text, text
        best = min(best or seconds, seconds)
        if best < allowed:
            break
    expect(person.page.locator("path.self")).to_be_visible()
    expect(person.page.locator("path.accuracy")).to_have_count(1)
    print(json.dumps({"secondsToPosition": round(best, 2)}))
    assert best < allowed, (best, allowed)


def follows(person, seconds, least):
    """The position moves on, several times a second."""
    person.here()
    count = person.page.evaluate("""async seconds => {
      let count = 0;
      new MutationObserver(() => count++).observe(document.querySelector('#here'), {childList: true});
      await new Promise(done => setTimeout(done, seconds * 1000));
      return count;
    }""", float(seconds))
    print(json.dumps({"positionsPerSecond": round(count / float(seconds), 1)}))
    assert count >= float(least) * float(seconds), count


def searches(person, text, name, address):
    """Letters are completed, the arrow keys choose, and Enter shows the place."""
    person.here()
    query = person.page.get_by_role("combobox")
    person.page.locator("body").press("/")
    expect(query).to_be_focused()
    person.page.keyboard.type(text)
    expect(person.page.get_by_role("option").first).to_contain_text(name)
    expect(query).to_have_attribute("aria-expanded", "true")
    person.page.keyboard.press("ArrowDown")
    expect(person.page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    expect(query).to_have_attribute("aria-activedescendant", "found-0")
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#card h2")).to_have_text(name)
    expect(person.page.locator("#card")).to_contain_text(address)
    expect(person.page.locator("path.place")).to_be_visible()
    expect(person.page.locator("#say")).to_contain_text(name)
    person.page.keyboard.press("Escape")
    expect(person.page.locator("#card")).to_be_hidden()


def clicks(person, address, way):
    """A click says the address, and offers the way there; so does Enter in the middle of the map."""
    person.here()
    person.map_at(500, 300)
    expect(person.page.locator("#card")).to_contain_text(address)
    person.button("On foot").click()
    expect(person.page.locator("#card .way")).to_contain_text(way)
    person.button("Close").click()
    person.page.locator("#map").focus()
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#card")).to_contain_text(address)


def opened(person, address, shared):
    """The map was opened for a place, which is shown with its address; its card copies it as a geo: address."""
    card = person.page.locator("#card")
    expect(card).to_contain_text(address)
    expect(person.page.locator("path.place")).to_be_visible()
    expect(person.page.locator("#follow")).to_have_attribute("aria-pressed", "false")
    assert copied(person, "Copy as geo: address") == shared


def stands(person, title, yes, done):
    """A right click, and a key, ask whether the computer stands there; a yes is taken, and said of the place."""
    person.here()
    card = person.page.locator("#card")
    person.page.locator("#map").click(position={"x": 500, "y": 300}, button="right")
    expect(card).to_contain_text(title)
    person.page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    person.page.locator("#map").focus()
    person.page.keyboard.press("h")
    expect(card).to_contain_text(title)
    person.button(yes).click()
    expect(card.get_by_role("status")).to_have_text(done)
    person.page.locator("#map").click(position={"x": 400, "y": 300})
    expect(person.button(title)).to_be_visible()
    print(card.inner_text())


def draws(person):
    """A region is drawn, registered, shown with its state, and taken away again."""
    person.here()
    person.button("Regions").click()
    person.button("New region").click()
    person.page.get_by_label("Name").fill("<b>port</b>")
    person.page.get_by_label("Radius in metres").fill("300")
    person.page.mouse.click(500, 350)
    person.button("Register").click()
    item = person.page.locator(".regions li")
    expect(item).to_contain_text("<b>port</b>")
    expect(item).to_contain_text("inside")
    expect(person.page.locator(".leaflet-tooltip.name")).to_have_text("<b>port</b>")
    person.button("New region").click()
    person.page.get_by_label("Name").fill("corner")
    person.page.locator("#card select").select_option("polygon")
    for x, y in [(700, 100), (800, 100), (800, 200)]:
        person.page.mouse.click(x, y)
    person.button("Register").click()
    expect(item).to_have_count(2)
    expect(person.page.locator(".regions")).to_contain_text("outside")
    for left in (1, 0):
        person.button("Remove").first.click()
        expect(item).to_have_count(left)
    expect(person.page.locator("#card")).to_contain_text("No region is registered")


def shows_files(person, count, kind, title, place):
    """Files are annotations: many lie together, one that is selected says its name and address."""
    person.button("Files").click()
    card = person.page.locator("#card")
    expect(card).to_contain_text(count)
    if kind:
        expect(card).to_contain_text(kind)
        colours = card.locator(".swatch").evaluate_all("all => all.map(each => each.style.backgroundColor)")
        assert len(set(colours)) == len(colours) > 1, colours
        assert person.page.locator(".many").count() > 0
    person.button("Close").click()
    # Whoever looks closely enough sees single ones.
    end = time.time() + PATIENCE / 1000
    while not person.page.locator(".thing").count():
        assert time.time() < end
        person.page.evaluate("document.querySelector('.many')?.click()")
        person.page.wait_for_timeout(300)
    if title:
        thing = person.page.get_by_role("button", name=title).first
        expect(thing).to_be_visible()
        thing.press("Enter")
        expect(card.locator("h2")).to_contain_text(title)
        expect(card).to_contain_text(place)


def keeps_text(person, evil):
    """Foreign text is shown as it is written, and does nothing: in the credit, a search, a card, a way and a file."""
    page = person.page

    def is_text():
        assert page.locator(".evil, body meta, meta[http-equiv]").count() == 0
        assert page.url == person.address, page.url

    person.here()
    expect(page.locator(".leaflet-control-attribution")).to_contain_text(evil)
    is_text()
    query = page.get_by_role("combobox")
    query.fill("evil")
    option = page.get_by_role("option").first
    expect(option).to_contain_text(evil)
    is_text()
    option.click()
    card = page.locator("#card")
    expect(card.locator("h2")).to_have_text(evil)
    expect(card.locator("p").first).to_have_text(evil)
    expect(page.locator("#say")).to_contain_text(evil)
    person.button("On foot").click()
    for place in (".way li", ".way p:not(.figures)", ".way > small"):
        expect(card.locator(place)).to_contain_text(evil)
    with page.expect_download() as saved:
        person.button("To a file").click()
    words = [each.text for each in xml.etree.ElementTree.parse(saved.value.path()).iter()]
    assert words.count(evil) == 2, words
    is_text()
    person.button("Files").click()
    expect(card.locator("h3")).to_contain_text("<b class=evil>.geojson")
    is_text()
    person.button("Close").click()
    thing = page.locator(".thing")
    assert thing.get_attribute("title") == evil
    thing.press("Enter")
    expect(card.locator("h2")).to_have_text(evil)
    person.map_at(400, 250)
    expect(card.locator("h2")).to_have_text(evil)
    # A page that is led away is away by now.
    page.wait_for_timeout(1500)
    is_text()
    person.here()


def is_accessible(person):
    """Each thing to press has a name, Tab reaches all of them, and what is on the screen fits on it."""
    person.here()
    page = person.page
    nameless = page.get_by_role("button").evaluate_all(
        "all => all.filter(each => !each.hidden && each.checkVisibility()"
        " && !(each.textContent.trim() || each.getAttribute('aria-label')) && !each.classList.contains('thing')).length")
    assert nameless == 0
    assert page.locator("html").get_attribute("lang") in ("en", "ko")
    assert page.get_by_role("combobox").get_attribute("aria-label")
    reached = set()
    page.locator("#query").focus()
    for _ in range(20):
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
        page.keyboard.press("Tab")
    assert {"query", "map", "follow", "day", "regions"} <= {word for name in reached for word in name.split()}, reached
    page.locator("#map").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, wide
    outside = page.evaluate("""[...document.querySelectorAll('header, #tools, #card, #here')].filter(each => {
      const box = each.getBoundingClientRect();
      return box.width && (box.left < 0 || box.right > innerWidth + 0.5 || box.top < 0 || box.bottom > innerHeight + 0.5);
    }).map(each => each.id || each.tagName)""")
    assert not outside, outside


def speaks(person, language, words):
    """The page speaks the person's language."""
    expect(person.page.locator("html")).to_have_attribute("lang", language)
    for word in words.split("|"):
        expect(person.page.locator("body")).to_contain_text(word)


def asks_for_words(person, *languages):
    """The page is told the sentences of the person's language, and of no other."""
    person.here()
    words = [urlsplit(url).path.split("/phrases/")[1] for url in person.requests if "/phrases/" in url]
    assert sorted(set(words)) == sorted(languages), words


def writes(person, *words):
    """Each of these rows of names is written on the map, near by; none behind an exclamation mark is."""
    person.page.add_init_script("""window.written = new Set();
      const write = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.written.add(text);
        return write.call(this, text, ...place);
      };""")
    person.page.goto(person.address, wait_until="commit")
    person.here()
    person.page.locator(".leaflet-control-zoom-in").click()
    wanted = {word for word in words if not word.startswith("!")}

    def written():
        return set(person.page.evaluate("[...window.written]"))
    waits_for(person, lambda: wanted <= written(), f"{wanted} are written")
    settles(person)
    # Names that were written before the page knew the language do not count.
    person.page.evaluate("window.written.clear()")
    for key in ("ArrowRight", "ArrowLeft"):
        person.page.locator("#map").press(key)
        settles(person)
    waits_for(person, lambda: wanted <= written(), f"{wanted} are written again")
    unwanted = {word[1:] for word in words if word.startswith("!")} & written()
    assert not unwanted, unwanted


def is_dark(person):
    """A dark screen stays dark."""
    person.here()
    water = person.page.evaluate("getComputedStyle(document.querySelector('#map')).backgroundColor")
    assert all(int(part) < 64 for part in re.findall(r"\d+", water)[:3]), water
    person.page.locator(".leaflet-tile-loaded").first.wait_for()
    pixel = person.page.evaluate("[...document.querySelector('.leaflet-tile-loaded').getContext('2d')"
                                 ".getImageData(128, 128, 1, 1).data]")
    assert max(pixel[:3]) < 128, pixel


def says(person, sentence):
    """What is missing is said, with what to do."""
    expect(person.page.locator("#notice")).to_contain_text(sentence)


def says_of_search(person, sentence):
    person.page.get_by_role("combobox").fill("Seoul")
    says(person, sentence)


def says_in_card(person, sentence):
    expect(person.page.locator("#card")).to_contain_text(sentence)


def has_a_day(person, day, words):
    """The track of a day is drawn for those who may read it; others are told why not."""
    person.button("Day").click()
    person.page.get_by_label("Day").fill(day)
    person.button("Show the track").click()
    expect(person.page.locator("#card [role=status]")).to_contain_text(words)


def resists(person):
    """Another web site in the same browser gets nothing, though it knows the address."""
    person.here()
    heard = []
    token = urlsplit(person.address).path
    own = urlsplit(person.address)
    # By its other name, too.
    bases = [person.address, f"http://localhost:{own.port}{token}"]
    page = """<!doctype html><title>evil</title><script>
      const say = what => fetch('/heard', {method: 'POST', body: what});
      (async () => {
        for (const base of %s) {
          for (const mode of ['cors', 'no-cors']) {
            try {
              const answer = await fetch(base + 'names.json', {mode});
              say(`fetch ${mode} ${answer.type} ${(await answer.text()).length}`);
            } catch { say('fetch refused'); }
          }
          try {
            await fetch(base + 'wish', {method: 'POST', mode: 'no-cors', body: '{"page":1,"id":1,"wish":{"remove":"x"}}'});
          } catch {}
          await new Promise(done => {
            const source = new EventSource(base + 'events');
            source.onmessage = event => { say('event ' + event.data); done(); };
            source.onerror = () => { source.close(); done(); };
          });
          await new Promise(done => {
            const script = document.createElement('script');
            script.src = base + 'leaflet.js';
            script.onload = () => { say('script'); done(); };
            script.onerror = done;
            document.head.append(script);
          });
          const frame = document.createElement('iframe');
          frame.src = base;
          document.body.append(frame);
          await new Promise(done => { frame.onload = done; setTimeout(done, 2000); });
          try { say('frame ' + frame.contentDocument.title); } catch { say('frame closed'); }
        }
        document.title = 'done';
      })();
    </script>""" % json.dumps(bases)

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = page.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self):
            heard.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *words):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    other = person.context.new_page()
    frames = []
    other.on("frameattached", lambda frame: frames.append(frame))
    other.goto(f"http://127.0.0.1:{site.server_port}/")
    other.wait_for_function("document.title === 'done'", timeout=PATIENCE)
    site.shutdown()
    print(json.dumps(heard))
    for words in heard:
        assert words in ("fetch refused", "frame closed") or words.startswith("fetch no-cors opaque 0"), heard
    for frame in frames:
        assert frame.locator("#map").count() == 0
    # The page itself lives on.
    person.here()


def counts_pictures(page):
    """From now on the page keeps the time of each picture that it shows."""
    page.evaluate("""() => {
      window.pictures = [];
      const step = now => { window.pictures.push(now); window.panning && requestAnimationFrame(step); };
      window.panning = true;
      requestAnimationFrame(step);
    }""")


def counted_pictures(page):
    """The times of the pictures since then, in milliseconds."""
    return page.evaluate("(window.panning = false, window.pictures)")


def pans(person, count):
    """Many annotations move, and none of the pictures costs much."""
    page = person.page
    page.locator(".many").first.wait_for()
    settles(person)
    box = page.locator("#map").bounding_box()
    counts_pictures(page)
    x, y = box["x"] + 500, box["y"] + 350
    page.mouse.move(x, y)
    page.mouse.down()
    cost = Cost(page)
    begun = time.time()
    step = 0
    while time.time() - begun < 3:
        step += 1
        page.mouse.move(x + 150 * ((step % 40) / 20 - 1), y + 40 * ((step % 20) / 10 - 1))
    page.mouse.up()
    seconds = cost.seconds()
    times = counted_pictures(page)
    rate = (len(times) - 1) / (times[-1] - times[0]) * 1000
    each = seconds / len(times)
    print(json.dumps({"annotations": count, "picturesPerSecond": round(rate, 1), "secondsEach": round(each, 4), "moves": step}))
    assert len(times) > 10 and each < 1 / 30, each


def pixel(person, x, y):
    """The colour of the ground at a point of the window, as red, green and blue; None where none is drawn yet."""
    return person.page.evaluate("""([x, y]) => {
      for (const tile of document.querySelectorAll('canvas.leaflet-tile-loaded')) {
        const box = tile.getBoundingClientRect();
        if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) continue;
        const [px, py] = [(x - box.left) * tile.width / box.width, (y - box.top) * tile.height / box.height];
        return [...tile.getContext('2d').getImageData(px, py, 1, 1).data].slice(0, 3);
      }
      return null;
    }""", [x, y])


def waits_for(person, condition, what):
    end = time.time() + PATIENCE / 1000
    while not condition():
        assert time.time() < end, what
        person.page.wait_for_timeout(100)


def settles(person):
    """The map has come to rest, and its tiles are drawn: ten pictures in a row are of the same place."""
    person.page.evaluate("""async patience => {
      const end = performance.now() + patience;
      const moving = '.leaflet-zoom-anim, .leaflet-pan-anim, canvas.leaflet-tile:not(.leaflet-tile-loaded)';
      for (let calm = 0, before = ''; calm < 10;) {
        if (performance.now() > end) throw new Error('the map does not come to rest');
        await new Promise(done => requestAnimationFrame(done));
        const now = document.querySelector('.leaflet-map-pane').style.transform;
        calm = now === before && !document.querySelector(moving) ? calm + 1 : 0;
        before = now;
      }
    }""", PATIENCE)


WATER = {"light": [0xaa, 0xd3, 0xe0], "dark": [0x0e, 0x1d, 0x2b]}


def on_screen(person, middle, zoom, place):
    """Where a place is in the window of a map with this middle."""
    def square(latitude, longitude):
        sine = math.sin(math.radians(latitude))
        return longitude / 360 + 0.5, 0.5 - math.atanh(sine) / (2 * math.pi)
    size = 256 * 2 ** zoom
    (x, y), (mx, my) = square(*place), square(*middle)
    view = person.page.viewport_size
    return view["width"] / 2 + (x - mx) * size, view["height"] / 2 + (y - my) * size


def has_ground(person, middle, *places):
    """The ground of an extract is drawn around the middle: `LATITUDE,LONGITUDE,land` or `…,sea` are what they are,
    at zoom 15, and at 12 where other tiles are drawn."""
    shade = json.loads(os.environ.get("WINDOW", "{}")).get("color_scheme", "light")
    person.here()
    expect(person.page.locator(".leaflet-control-attribution")).to_contain_text("OpenStreetMap")
    middle = [float(part) for part in middle.split(",")]
    for zoom in (15, 12):
        for text in places:
            latitude, longitude, what = text.split(",")
            at = on_screen(person, middle, zoom, (float(latitude), float(longitude)))

            def is_so():
                colour = pixel(person, *at)
                return colour is not None and (colour == WATER[shade]) == (what == "sea")
            waits_for(person, is_so, f"{text} at zoom {zoom}")
        if os.environ.get("PICTURE"):
            settles(person)
            person.page.screenshot(path=os.environ["PICTURE"].replace(".png", f"-{zoom}-{shade}.png"))
        for _ in range(15 - zoom or 3):
            person.page.locator(".leaflet-control-zoom-out").click()
            settles(person)


def has_streets(person, words, middle, street):
    """The streets of an extract that has no ground are drawn at zoom 15."""
    says(person, words)
    at = on_screen(person, *(json.loads(text) for text in (middle, "15", street)))
    waits_for(person, lambda: pixel(person, *at) == [0xff, 0xff, 0xff], "a street")


def taps(person, name, kind):
    """A shop in the middle of the map says what it is, and offers the way."""
    card = person.page.locator("#card")
    expect(card).to_be_visible()
    person.page.keyboard.press("Escape")
    person.page.locator("#map").focus()
    for _ in range(3):
        person.page.keyboard.press("+")
        settles(person)

    def is_open():
        view = person.page.viewport_size
        person.map_at(view["width"] / 2, view["height"] / 2)
        return card.is_visible() and name in card.locator("h2").inner_text()
    waits_for(person, is_open, card.inner_text)
    expect(card).to_contain_text(kind)
    expect(person.button("On foot")).to_be_visible()


def draws_day(person, day, words, most):
    """A track of very many points is on the screen, at little cost."""
    person.button("Day").click()
    person.page.get_by_label("Day").fill(day)
    cost, begun = Cost(person.page), time.time()
    person.button("Show the track").click()
    expect(person.page.locator("#card [role=status]")).to_contain_text(words, timeout=3 * PATIENCE)
    person.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seconds, all = cost.seconds(), time.time() - begun
    print(json.dumps({"seconds": round(all, 2), "secondsOfProcessor": round(seconds, 2)}))
    assert seconds < float(most), seconds


def overlay(person, colours):
    """The box of the pixels of lines that have one of these colours, each as #rrggbb, and how many each has."""
    return person.page.evaluate("""colours => {
      const canvas = document.querySelector('.leaflet-overlay-pane canvas');
      if (!canvas?.width) return null;
      const area = canvas.getBoundingClientRect(), factor = canvas.width / area.width;
      const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
      const wanted = colours.map(each => [1, 3, 5].map(at => parseInt(each.slice(at, at + 2), 16)));
      const box = {left: 1e9, top: 1e9, right: -1, bottom: -1, counts: colours.map(() => 0), places: []};
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 190) continue;
        const found = wanted.findIndex(each => each.every((part, j) => Math.abs(part - data[i + j]) < 4));
        if (found < 0) continue;
        const x = area.left + i / 4 % canvas.width / factor, y = area.top + Math.floor(i / 4 / canvas.width) / factor;
        if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
        box.counts[found]++;
        if (box.counts[found] % 50 === 0) box.places.push([x, y]);
        Object.assign(box, {left: Math.min(box.left, x), top: Math.min(box.top, y), right: Math.max(box.right, x), bottom: Math.max(box.bottom, y)});
      }
      return box;
    }""", colours)


SPEEDS = ["#7e22ce", "#1d4ed8", "#0f766e", "#b45309", "#be123c"]


def clock(hours, minutes):
    return f"{(int(hours) - 1) % 12 + 1:02}:{minutes} {'AM' if int(hours) < 12 else 'PM'}"


def tells_day(person, day, listed, climb, place):
    """A day is a story: the trips and stays that `track list` has, with its times and distances, a gap, places, the
    start and the end, and it is played back by a slider."""
    page, card = person.page, person.page.locator("#card")
    person.button("Day").click()
    page.get_by_label("Day").fill(day)
    person.button("Show the track").click()
    rows = card.locator(".story button")
    expect(rows.first).to_be_visible()
    expect(rows.first.locator("small")).to_contain_text(place)
    said = [re.sub(r"\s+", " ", text) for text in rows.all_inner_texts()]
    lines = [re.match(r"\S+ (\d+):(\d+):\d+ UTC  (trip|stay)  (\d+ \w+)(?:, (\S+ km), up to \S+ m/s  \((\d+) km/h\))?", line)
             for line in listed.splitlines()]
    told = [text for text in said if "Nothing recorded" not in text]
    assert len(told) == len(lines) == len(said) - 1, (said, listed)
    for text, line in zip(told, lines):
        hours, minutes, kind, time_, distance, speed = line.groups()
        assert text.startswith(clock(hours, minutes) + " – "), (text, line)
        assert kind.capitalize() in text, (text, line)
        if kind == "trip":
            assert f"up to {speed} km/h" in text and distance in text, (text, line)
        if time_.endswith("min"):
            # The list leaves seconds out, the page counts them as half a minute or none.
            assert abs(int(re.search(r"(?:(\d+) h )?(\d+) min", text).expand(r"\2")) - int(time_[:-4]) % 60) <= 1, (text, line)
    expect(card.get_by_role("status").first).to_contain_text(climb)
    assert climb in said[0], said
    first = clock(*lines[0].groups()[:2])
    ends = [re.sub(r"\s+", " ", text) for text in page.locator(".leaflet-tooltip").all_inner_texts()]
    end = said[-1].split(" – ")[1][:8]
    assert f"Start, {first}" in ends and f"End, {end}" in ends, ends
    expect(page.locator(".edge.start")).to_be_visible()
    expect(page.locator(".edge.end")).to_be_visible()
    waits_for(person, lambda: sum(count > 20 for count in overlay(person, SPEEDS)["counts"]) >= 3, "the line has colours")

    slider = page.get_by_role("slider", name="Time")
    dot = page.locator("path.play")

    def heard():
        return re.sub(r"\s+", " ", slider.get_attribute("aria-valuetext"))
    slider.press("End")
    assert heard().startswith(end), heard()
    slider.press("Home")
    assert heard().startswith(f"{first} · Trip"), heard()
    for i, text in enumerate(said):
        rows.nth(i).click()
        expect(rows.nth(i)).to_have_attribute("aria-current", "true")
        assert heard().startswith(text.split(" – ")[0]), (heard(), text)
        expect(dot).to_have_count(0 if "Nothing recorded" in text else 1)
    slider.press("Home")
    before = dot.get_attribute("d")
    person.button("Play").click()
    start = float(slider.get_attribute("min"))
    waits_for(person, lambda: float(slider.input_value()) > start + 60, "it plays")
    person.button("Pause").click()
    at = slider.input_value()
    assert dot.get_attribute("d") != before
    settles(person)
    assert slider.input_value() == at
    # Shown again, it leaves nothing behind.
    drawings = page.locator(".leaflet-self-pane svg")
    count = drawings.count()
    person.button("Show the track").click()
    expect(rows.first.locator("small")).to_contain_text(place)
    expect(dot).to_have_count(1)
    assert drawings.count() == count, (drawings.count(), count)
    if os.environ.get("PICTURE"):
        page.screenshot(path=os.environ["PICTURE"])
    page.keyboard.press("Escape")
    expect(page.locator(".edge, .leaflet-tooltip, path.play")).to_have_count(0)


def is_on_day(person, trip, earlier):
    """The map was opened for a day; more days are shown with their dates."""
    card = person.page.locator("#card")
    expect(card.locator(".story button").first).to_contain_text(trip)
    expect(person.page.locator("#follow")).to_have_attribute("aria-pressed", "false")
    first, last = card.locator("input[type=date]").all()
    day = first.input_value()
    first.fill(earlier)
    expect(last).to_have_value(earlier)
    last.fill(day)
    card.locator("form button").click()
    expect(card.get_by_role("status").first).to_contain_text(f"{earlier} – {day}")
    expect(card.locator(".story button").first).to_contain_text(re.compile(r"Jul 23|7월 23일"))


def copied(person, name):
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.button(name).click()
    expect(person.page.locator("#card").get_by_text(re.compile("^Copied: "))).to_be_visible()
    return person.page.evaluate("navigator.clipboard.readText()")


def copies(person, usual, *others):
    """Coordinates are copied as they stand: in the person's notation, or another that is chosen."""
    choice = person.page.get_by_label("Notation")
    expect(choice.locator("option:checked")).to_have_text(usual)
    assert copied(person, "Copy") == usual
    for other in others:
        choice.select_option(other)
        assert copied(person, "Copy") == other


def travels(person):
    """A way is chosen of several, copied and saved; stops come by a key and by dragging, and go."""
    page, card = person.page, person.page.locator("#card")
    expect(card.locator("h2")).not_to_have_text("Looking up the address…")
    title = card.locator("h2").inner_text()
    person.here()
    person.button("By car").click()
    expect(person.button("By car")).to_have_attribute("aria-pressed", "true")
    expect(person.button("On foot")).to_have_attribute("aria-pressed", "false")
    ways = card.get_by_role("group", name=re.compile(r"^\d ways$")).get_by_role("button")
    expect(ways.first).to_have_attribute("aria-pressed", "true")
    assert ways.count() >= 2
    steps = card.locator(".way li")
    before = steps.all_inner_texts()
    for text in before:
        assert len(re.findall(r"\d k?m\b", text)) == (0 if text == before[-1] else 1), before
    if os.environ.get("PICTURE"):
        # The picture of the README.
        settles(person)
        picture = os.environ["PICTURE"].replace(".png", ".jpg")
        page.screenshot(path=picture, type="jpeg", quality=60)
        assert os.path.getsize(picture) < 120_000, os.path.getsize(picture)
    ways.nth(1).click()
    expect(ways.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(ways.nth(0)).to_have_attribute("aria-pressed", "false")
    assert steps.all_inner_texts() != before
    text = copied(person, "Copy the way")
    assert text.startswith(f"{title}: ") and "\n1. " in text and len(text.splitlines()) == steps.count() + 1, text
    with page.expect_download() as saved:
        person.button("To a file").click()
    tree = xml.etree.ElementTree.parse(saved.value.path()).getroot()
    names = [each.tag.split("}")[1] for each in tree.iter()]
    assert saved.value.suggested_filename == "way.gpx" and names.count("trkpt") > 20 and names.count("rtept") == steps.count(), names

    stop = page.locator(".stop")
    page.locator("#map").focus()
    page.keyboard.press("v")
    expect(stop).to_have_count(1)
    expect(card.locator(".way")).to_contain_text("You have reached a stop on the way")
    person.button("On foot").click()
    expect(person.button("On foot")).to_have_attribute("aria-pressed", "true")
    expect(card.locator(".way")).to_contain_text("You have reached a stop on the way")
    stop.press("Delete")
    expect(stop).to_have_count(0)
    expect(card.locator(".way li").last).to_be_visible()
    settles(person)
    places = overlay(person, ["#1d4ed8"])["places"]
    x, y = places[len(places) // 2]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 20, steps=5)
    page.mouse.move(x + 50, y + 30, steps=5)
    page.mouse.up()
    expect(stop).to_have_count(1)
    expect(card.locator(".way")).to_contain_text("You have reached a stop on the way")
    assert card.locator("h2").inner_text() == title
    # Another stop; pressed twice before the next way is there, the key removes one of them.
    page.locator("#map").focus()
    page.keyboard.press("v")
    expect(stop).to_have_count(2)
    stop.first.evaluate("""stop => [1, 2].forEach(() =>
      stop.dispatchEvent(new KeyboardEvent('keydown', {key: 'Delete', bubbles: true})))""")
    expect(stop).to_have_count(1)
    settles(person)
    expect(stop).to_have_count(1)


def leaves_room(person):
    """Nothing covers a way and its ends, nor a button, nor the credit; a marker stands beside its label. On a phone
    the card is a sheet that is drawn up and down."""
    page = person.page
    view = page.viewport_size
    person.page.locator("#card h2").wait_for()
    settles(person)

    def box(what):
        return page.locator(what).first.bounding_box()

    def meet(a, b):
        return (a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
                and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"])

    def are_reachable():
        covered = page.evaluate("""[...document.querySelectorAll('#tools button, #close, .leaflet-bar a')].filter(each => {
          const box = each.getBoundingClientRect();
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
          return box.width && !each.contains(document.elementFromPoint(x, y));
        }).map(each => each.id || each.title)""")
        return covered

    def ink():
        return page.evaluate("""() => {
          const canvas = document.querySelector('.leaflet-labels-pane canvas'), area = canvas.getBoundingClientRect();
          const mark = document.querySelector('path.place').getBoundingClientRect(), factor = canvas.width / area.width;
          const data = canvas.getContext('2d').getImageData((mark.left + 3 - area.left) * factor, (mark.top + 3 - area.top) * factor,
            (mark.width - 6) * factor, (mark.height - 6) * factor).data;
          return data.filter((_, i) => i % 4 === 3).reduce((a, b) => a + b, 0);
        }""")
    waits_for(person, lambda: ink() == 0, "the marker stands on its label")
    person.button("By car").click()
    page.locator(".way ol").wait_for()
    settles(person)
    card, credit = box("#card"), box(".leaflet-control-attribution")
    way = overlay(person, ["#1d4ed8"])
    way = {"x": way["left"], "y": way["top"], "width": way["right"] - way["left"], "height": way["bottom"] - way["top"]}
    assert way["width"] > 20 and not meet(way, card), (way, card)
    for what in ("path.place", "path.self"):
        for cover in ("#card", "#query", "#tools", ".leaflet-control-attribution", ".leaflet-control-zoom"):
            assert not meet(box(what), box(cover)), (what, cover)
    for other in ("#card", "#query", "#tools", ".leaflet-control-zoom", ".leaflet-control-scale", "#here"):
        if page.locator(other).is_visible():
            assert not meet(credit, box(other)), (other, credit, box(other))
    assert credit["x"] >= 0 and credit["y"] + credit["height"] <= view["height"] + 1, credit
    assert not are_reachable(), are_reachable()
    grip = page.locator("#grip")

    def is_revealed():
        page.keyboard.press("Escape")
        page.mouse.click(150, 0.8 * view["height"])
        page.locator("#card h2").wait_for()
        page.locator("#card").get_by_text("The way there", exact=True).wait_for()
        # The address that comes makes a new marker.
        waits_for(person, lambda: (mark := box("path.place")) and not any(meet(mark, box(what)) for what in ("#card", "#tools", ".leaflet-control-attribution")),
                  "something covers the place")
    if view["width"] > 640:
        expect(grip).to_be_hidden()
        return is_revealed()
    # A finger that the browser takes away no longer draws.
    heights = page.evaluate("""() => {
      const grip = document.querySelector('#grip'), from = grip.getBoundingClientRect().top + 10;
      const send = (kind, up) => grip.dispatchEvent(new PointerEvent(kind, {pointerId: 1, clientY: from - up}));
      ['pointerdown', 'pointermove', 'pointercancel'].forEach((kind, i) => send(kind, i && 60));
      const height = () => document.querySelector('#card').offsetHeight, before = height();
      send('pointermove', 120);
      return [before, height()];
    }""")
    assert heights[0] == heights[1], heights
    handle = box("#grip")
    page.mouse.move(180, handle["y"] + 10)
    page.mouse.down()
    page.mouse.move(180, 150, steps=5)
    page.mouse.up()
    waits_for(person, lambda: box("#card")["y"] < 130, "it is drawn up")
    assert not meet(box("#card"), box("#tools")) and box("#card")["y"] >= 0
    expect(person.button("Day")).to_be_visible()
    person.page.locator("#card ol li").last.scroll_into_view_if_needed()
    expect(grip).to_be_in_viewport()
    grip.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    waits_for(person, lambda: box("#card")["height"] < 0.3 * view["height"], "it is drawn down")
    assert not are_reachable(), are_reachable()
    grip.click()
    waits_for(person, lambda: box("#card")["height"] > 0.35 * view["height"], "a press draws it up")
    is_revealed()


def app(person, title):
    """An app's map: a tap, a pin that is selected, the buttons of its callout, and a move by the keyboard and by a
    button; nothing else is there. A pin beside it that may go is hidden until it is selected; a free one neither is
    hidden nor hides the next."""
    pin = person.page.get_by_role("button", name=title, exact=True)
    expect(pin).to_be_visible()
    other, free, following = (person.page.locator(f".app[title={name}]") for name in ("other", "free", "next"))
    expect(other).to_be_hidden()
    expect(free).to_be_visible()
    expect(following).to_be_visible()
    for part in ("#search", "#follow", "#day", "#regions", "#things"):
        expect(person.page.locator(part)).to_be_hidden()
    # The app selects the hidden one.
    person.map_at(600, 250)
    callout = person.page.locator(".callout")
    expect(callout).to_contain_text("other")
    expect(other).to_be_visible()
    pin.click()
    expect(other).to_be_hidden()
    expect(callout).to_contain_text(title)
    expect(callout).to_contain_text("<b>here</b>")
    for name in ("Go", "<b>here</b>"):
        callout.get_by_role("button", name=name, exact=True).click()
    callout.locator(".leaflet-popup-close-button").click()
    expect(callout).to_have_count(0)
    def is_moved(request):
        return '"person":true' in (request.post_data or "")

    # The map may not be moved, but its scale may be changed.
    person.page.locator("#map").focus()
    person.page.keyboard.press("ArrowRight")
    with person.page.expect_request(is_moved):
        person.page.keyboard.press("-")
    settles(person)
    with person.page.expect_request(is_moved) as moved:
        person.page.locator(".leaflet-control-zoom-out").click()
    # It has been heard once it is answered.
    assert moved.value.response().status == 204


def asks_for_few(person):
    """The page asks for four squares of a layer at a time, however many it shows."""
    page, held, holds = person.page, [], True

    def hold(route):
        if holds and '"tile":' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()
    page.goto("about:blank")
    page.route("**/wish", hold)
    page.goto(person.address, wait_until="commit")
    squares = page.locator("img.leaflet-tile")
    waits_for(person, lambda: squares.count() > 16 and len(held) >= 8, "squares are asked for")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert len(held) == 8, len(held)
    holds = False
    for route in held:
        route.continue_()


def looks(person):
    """An app's pictures, clusters, tiles and lines, as it has set them."""
    page = person.page
    asks_for_few(person)
    photo = page.get_by_role("button", name="alone", exact=True)
    expect(photo).to_be_visible()
    assert photo.locator("img").evaluate("image => [image.width, image.height, image.naturalWidth]") == [24, 32, 24]
    # The app says how a cluster looks, and hears of a click on it.
    cluster = page.locator(".leaflet-marker-pane .app.marker")
    expect(cluster).to_have_text("3")
    assert "rgb(52, 199, 89)" in cluster.locator(".mark").evaluate("mark => getComputedStyle(mark).backgroundColor")
    expect(page.locator(".leaflet-control-scale-line")).to_be_visible()
    # The ground fades, the app's squares do not.
    expect(page.locator("#map.muted")).to_have_count(1)
    filters = page.locator(".leaflet-tile-pane, .leaflet-layer").evaluate_all(
        "all => all.map(each => getComputedStyle(each).filter)")
    assert [each == "none" for each in filters] == [True, False, True, True], filters
    tile = page.locator("img.leaflet-tile[src^='data:image/png']").first
    expect(tile).to_be_attached()
    assert page.evaluate("getComputedStyle(document.querySelector('.leaflet-labels-multiply-pane')).mixBlendMode") == "multiply"
    photo.click()
    callout = page.locator(".callout")
    expect(callout).to_contain_text("taken by hand")
    expect(callout).to_contain_text("📷")
    box = photo.bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 16)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 70, steps=5)
    with page.expect_request(lambda request: '"drag":' in (request.post_data or "") and '"at"' in request.post_data):
        page.mouse.up()
    if os.environ.get("PICTURE"):
        page.screenshot(path=os.environ["PICTURE"])
    cluster.click()
    # Nearer, each is by itself.
    expect(page.locator(".app.image")).to_have_count(3)


def shows_drawing(person):
    """What an app draws by itself: a picture over its part of the map grows with it, below the canvas of lines and areas,
    on which a ring stays as wide on the screen."""
    page = person.page
    picture = page.locator(".leaflet-image-layer")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") == 24
    assert picture.evaluate("""image => {
      const height = each => Number(getComputedStyle(each.parentElement).zIndex);
      return height(image) < height(document.querySelector('.leaflet-overlay-pane canvas'));
    }""")

    def has_ring():
        """The red on the canvas is as wide as a ring with a radius of 20 points, 2 of them thick."""
        across = page.locator(".leaflet-overlay-pane canvas").evaluate("""canvas => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height), red = [];
          for (let i = 0; i < data.length; i += 4) {
            if (data[i] > 200 && data[i + 1] < 60 && data[i + 2] < 60 && data[i + 3] > 200) red.push(i / 4 % canvas.width);
          }
          return red.reduce((a, b) => Math.max(a, b), 0) - red.reduce((a, b) => Math.min(a, b), canvas.width) + 1;
        }""")
        return 39 <= across <= 43
    waits_for(person, has_ring, "the ring")
    wide = picture.bounding_box()["width"]
    page.locator(".leaflet-control-zoom-in").click()
    waits_for(person, lambda: picture.bounding_box()["width"] > 1.9 * wide, "the picture grows with the map")
    settles(person)
    waits_for(person, has_ring, "the ring for the new scale")


def run(browser, scenarios, address, name, *arguments):
    """Somebody does a scenario in a window of their own."""
    person = Person(browser, address, **json.loads(os.environ.get("WINDOW", "{}")))
    try:
        scenarios[name](person, *arguments)
        person.page.wait_for_timeout(50)
        if name == "resists":
            person.complaints.clear()
            # Requests of the other site are not the page's.
            person.requests = [url for url in person.requests if url.startswith(person.address)]
        person.finish()
    except BaseException:
        picture = os.environ.get("PICTURE", "/tmp/map-failure.png")
        person.page.screenshot(path=picture)
        print(f"see {picture}; {person.complaints}")
        raise
    if os.environ.get("PICTURE"):
        person.page.screenshot(path=os.environ["PICTURE"])
    person.context.close()


if __name__ == "__main__":
    main(run, globals())
