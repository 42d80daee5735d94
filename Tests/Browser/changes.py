"""What changes around a map that is open, and how a person leaves things: changes.py ADDRESS SCENARIO [ARGUMENT]...

As drive.py.
"""
import os
import re
import signal

from playwright.sync_api import expect

from chromium import main
from drive import overlay, run, says, settles, waits_for


def loses_daemon(person, daemon):
    """The daemon ends before it answers a wish: the card says so, and the wish can be made again."""
    person.here()
    card = person.page.locator("#card")
    answer, yes = card.get_by_role("status"), person.button("Yes, it stands here")
    person.page.locator("#map").click(position={"x": 500, "y": 300}, button="right")
    os.kill(int(daemon), signal.SIGSTOP)
    with person.page.expect_response("**/wish"):
        yes.click()
    expect(answer).to_have_text("Asking for permission…")
    expect(yes).to_be_disabled()
    # The wish is on its way to the daemon.
    person.page.wait_for_timeout(1000)
    os.kill(int(daemon), signal.SIGKILL)
    expect(answer).to_contain_text("the daemon has gone")
    expect(yes).to_be_enabled()


def falls_silent(person, words):
    """A position that nothing follows stays on the map, which says since when."""
    before = person.here()
    says(person, words)
    assert person.here() == before


def tells_of_visits(person, words, is_told):
    """The card of a day says, or says no more, that visits are not shown."""
    card = person.page.locator("#card")

    def is_so():
        person.button("Day").click()
        text = card.inner_text()
        person.button("Close").click()
        return (words in text) == bool(is_told)
    waits_for(person, is_so, f"{words}: {is_told}")


def looks_around(person):
    """Arrow keys move the map for good: it follows the position no more."""
    person.here()
    follow = person.page.locator("#follow")
    expect(follow).to_have_attribute("aria-pressed", "true")
    person.page.locator("#map").focus()
    person.page.keyboard.press("+")
    expect(follow).to_have_attribute("aria-pressed", "true")
    person.page.keyboard.press("ArrowRight")
    expect(follow).to_have_attribute("aria-pressed", "false")


# A page whose connection ends, and is made again, by `again()`.
CONNECTION = """(() => {
  const Real = EventSource;
  window.EventSource = class {
    constructor(url) {
      const open = () => {
        window.heard = '';
        this.real = new Real(url);
        this.real.onmessage = event => { window.heard += event.data; this.onmessage(event); };
        this.real.onerror = event => this.onerror(event);
      };
      open();
      window.again = () => {
        this.real.close();
        this.onerror();
        open();
      };
    }
  };
})()"""


def keeps_files(person, kind):
    """A page that connects again is where it was: it does not go to its files, and a hidden kind stays hidden."""
    page = person.page
    page.add_init_script(CONNECTION)
    page.goto(person.address, wait_until="commit")
    person.here()
    person.button("Files").click()
    things, box = page.locator(".thing"), page.get_by_label(re.compile(kind))
    all_things = things.count()
    box.uncheck()
    waits_for(person, lambda: 0 < things.count() < all_things, f"{kind} is hidden")
    left = things.count()
    for _ in range(3):
        page.locator(".leaflet-control-zoom-in").click()
        settles(person)
    where = "import('./view.js').then(({ map }) => [map.getZoom(), map.getCenter().lat, map.getCenter().lng])"
    before = page.evaluate(where)
    page.evaluate("again()")
    waits_for(person, lambda: '"add":"files"' in page.evaluate("heard"), "files are told again")
    settles(person)
    assert page.evaluate(where) == before, (page.evaluate(where), before)
    for _ in range(3):
        page.locator(".leaflet-control-zoom-out").click()
        settles(person)
    assert things.count() == left and not box.is_checked(), (things.count(), left)


def leaves_search(person, text):
    """Completions that come once the field is left, or after Escape, are not shown; none are asked for then."""
    page, held = person.page, []
    query, found = page.get_by_role("combobox"), page.locator("#found")
    person.here()
    page.route("**/wish", lambda route: held.append(route) if '"complete"' in route.request.post_data else route.continue_())
    for key in ("Escape", "Tab"):
        query.fill(text)
        waits_for(person, lambda: held, "completions are asked for")
        page.keyboard.press(key)
        held.pop().continue_()
        page.wait_for_timeout(1000)
        assert found.is_hidden(), key
    query.evaluate("""(query, text) => {
      query.focus();
      query.value = text;
      query.dispatchEvent(new Event('input'));
      query.blur();
    }""", text)
    page.wait_for_timeout(500)
    assert not held and found.is_hidden()


def marks(person, text, title, letters):
    """The letters of a title that were typed stand out."""
    person.page.get_by_role("combobox").fill(text)
    option = person.page.get_by_role("option").first
    expect(option.locator("span")).to_have_text(title)
    expect(option.locator("b")).to_have_text(letters)


def crosses_date_line(person):
    """The position goes over the date line by 0.01 degrees, beside a region, and finds a way back: each is drawn where it
    is, none around the Earth."""
    page = person.page
    zoom = "import('./view.js').then(({ map }) => map.getZoom())"

    def is_within(colours, left, right):
        box = overlay(person, colours)
        return box and box["right"] > 0 and left < box["left"] and box["right"] < right
    waits_for(person, lambda: ", -179.995" in person.here(), "it arrives")
    # 233 pixels of a track end in the middle; the region reaches as far to both sides of the line.
    waits_for(person, lambda: is_within(["#c2410c"], 200, 520), "the track")
    waits_for(person, lambda: is_within(["#15803d", "#7c3aed", "#6b7280"], 100, 700), "the region")
    # The person looks back over the line.
    page.locator("#map").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        settles(person)
    dot = page.locator("path.self")
    waits_for(person, lambda: (box := dot.bounding_box()) and 600 < box["x"] < 1000, "the position is on the map")
    waits_for(person, lambda: is_within(["#c2410c"], 400, 800), "so is the track")
    assert page.evaluate("""import('./ground.js').then(({ Ground }) => {
      const tiles = new Map([[0, { level: 14, x: 0, y: 8, content: {} }]]);
      return Ground.prototype.tilesIn.call({ extracts: { tiles } }, 15, [0.9999, 0.0005, 1.0001, 0.0006]).length;
    })""") == 1
    person.button("Regions").click()
    person.button("Show").click()
    settles(person)
    assert page.evaluate(zoom) >= 14
    person.map_at(500, 350)
    person.button("On foot").click()
    expect(page.locator("#card .way ol")).to_be_visible()
    settles(person)
    assert page.evaluate(zoom) >= 14
    waits_for(person, lambda: is_within(["#1d4ed8"], 350, 1000), "the way")


if __name__ == "__main__":
    main(run, globals())
