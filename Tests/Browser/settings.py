"""Does in a real browser what a person does on the page of settings: settings.py ADDRESS SCENARIO APP [ARGUMENT]...

The daemon behind it has told APP a place. PICTURES names a folder for pictures of the page.
"""
import datetime
import json
import os
import signal
import socket
import time
import zoneinfo

from playwright.sync_api import expect

from chromium import main
from drive import PATIENCE


class Window:
    """A window on the page, and what the page complains about."""

    def __init__(self, browser, **context):
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.complaints.append(line.text))
        self.page.goto(address, wait_until="commit")
        self.card = self.page.locator("#apps > li").filter(has_text=app)
        self.state = self.page.locator("#state")
        self.findings = self.page.locator("#findings > li")

    def picture(self, name):
        if "PICTURES" in os.environ:
            self.page.screenshot(path=os.path.join(os.environ["PICTURES"], f"{name}.png"), full_page=True)

    def close(self):
        # The page has no more room than the window.
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not self.complaints, self.complaints
        self.context.close()


def person(browser, findings):
    """Everything on a dark phone; the findings are those of the command, each a line of JSON."""
    window = Window(browser, viewport={"width": 400, "height": 800}, color_scheme="dark", locale="en-GB")
    page, card = window.page, window.card
    expect(card.get_by_role("img")).to_have_attribute("aria-label", "The last 30 days: 1 access on 1 day")
    expect(card).to_contain_text("It calls itself “Walker <b>”.")
    # The desktop's name and icon stand beside what the kernel says.
    known = page.locator("#apps > li").filter(has_text="app:org.a.Walk")
    expect(known.get_by_role("heading")).to_have_text("Walking <i>tours")
    assert known.locator("h2 img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 48
    card.locator("summary").click()
    expect(card.get_by_role("table")).to_contain_text("standard")
    window.picture("phone-dark")
    examines(window, findings)
    others(browser)
    # By the keyboard alone.
    page.get_by_role("button", name="Pause for an hour").focus()
    page.keyboard.press("Enter")
    expect(window.state).to_contain_text("Location is paused for your programs until")
    expect(page.get_by_role("region", name="What doctor says")).to_contain_text(
        "Advice location is paused for your programs until")
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_focused()
    # The page keeps what is open, and where the keyboard is.
    expect(card.get_by_role("table")).to_be_visible()
    window.picture("paused")
    resume.click()
    expect(window.state).to_contain_text("Programs are told the place")
    level = card.get_by_role("combobox").first
    level.select_option("denied")
    expect(card).to_contain_text("decided by: an administrator")
    expect(card.get_by_role("combobox")).to_have_count(1)
    expect(card.get_by_role("table")).to_be_visible()
    card.get_by_role("button", name="Forget the history").click()
    expect(card.get_by_role("img")).to_have_count(0)
    window.close()


def asked(door, method):
    """The daemon's own answer."""
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.connect(door)
        daemon.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode() + b"\n")
        # Notices, which have no number, may come with it.
        for line in daemon.makefile():
            answer = json.loads(line)
            if "id" in answer:
                return answer["result"]
    raise AssertionError(f"{method}: no answer")


def switches(browser, door):
    """Each switch of the page, by the pointer and by the keyboard, has its effect in the daemon, whose socket is `door`."""
    window = Window(browser, viewport={"width": 1000, "height": 800}, locale="en-GB")
    page, card = window.page, window.card
    level, exactness = card.get_by_role("combobox").first, card.get_by_role("combobox").nth(1)
    wishes = []
    page.on("request", lambda request: "permissions.set" in (request.post_data or "") and wishes.append(request.post_data))

    def decided():
        return next((one for one in asked(door, "permissions.list")["permissions"] if one["app"] == app), {})

    def until(condition, what):
        deadline = time.monotonic() + PATIENCE / 1000
        while not condition():
            assert time.monotonic() < deadline, f"{what}: {decided()} {asked(door, 'status')}"
            page.wait_for_timeout(50)

    assert decided()["authorization"] == "denied"
    level.select_option("authorizedAlways")
    until(lambda: decided()["authorization"] == "authorizedAlways", "always")
    exactness.select_option("reduced")
    until(lambda: decided()["accuracy"] == "reduced", "roughly")
    expect(exactness).to_have_value("reduced")
    # Arrows pass over other choices, and Escape takes them back.
    level.focus()
    expect(level).to_be_focused()
    wishes.clear()
    page.keyboard.press("ArrowDown")
    expect(level).to_have_value("denied")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(level).to_have_value("authorizedWhenInUse")
    expect(card).to_contain_text("Enter decides")
    window.picture("undecided")
    assert not wishes and decided()["authorization"] == "authorizedAlways", (wishes, decided())
    page.keyboard.press("Escape")
    expect(level).to_have_value("authorizedAlways")
    expect(card).not_to_contain_text("Enter decides")
    assert not wishes
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    until(lambda: decided()["authorization"] == "authorizedWhenInUse", "Enter")
    expect(level).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    until(lambda: decided()["authorization"] == "authorizedAlways", "another focus")
    exactness.focus()
    page.keyboard.press("ArrowUp")
    assert decided()["accuracy"] == "reduced"
    page.keyboard.press("Enter")
    until(lambda: decided()["accuracy"] == "full", "exactly")
    page.get_by_role("button", name="Turn off for all").click()
    until(lambda: not asked(door, "status")["enabled"], "the master switch")
    expect(window.state).to_contain_text("Location is off for all programs.")
    page.get_by_role("button", name="Turn on").click()
    until(lambda: asked(door, "status")["enabled"], "the master switch")
    page.get_by_role("button", name="Pause for an hour").click()
    until(lambda: "pause" in asked(door, "status"), "the pause")
    page.get_by_role("button", name="Resume").click()
    until(lambda: "pause" not in asked(door, "status"), "its end")
    level.select_option("notDetermined")
    until(lambda: not decided(), "reset")
    expect(card).to_have_count(0)
    window.close()


def examines(window, findings):
    """The page says what the command says, and tries the receivers where the keyboard asks for that."""
    page = window.page
    wanted = [json.loads(line) for line in findings.splitlines()]
    assert len(wanted) > 1, findings
    word = lambda one: "Trouble" if not one["ok"] else "Advice" if "advice" in one else "Well"
    texts = [f"{word(one)} {one['text']}" for one in wanted]
    page.get_by_role("button", name="Try the receivers").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#tried")).to_have_text("The receivers were tried.")
    expect(window.findings).to_have_text(texts)
    expect(page.get_by_role("button", name="Try the receivers")).to_be_focused()


def others(browser):
    """In Korean, in Japanese, and in a wide window by day."""
    window = Window(browser, viewport={"width": 400, "height": 800}, locale="ko-KR")
    region = window.page.get_by_role("region", name="진단")
    expect(region).to_contain_text("정상 locationd")
    expect(region).to_contain_text("실행 중입니다")
    expect(region.get_by_role("button", name="수신기 시험")).to_be_visible()
    window.picture("phone-ko")
    window.close()
    window = Window(browser, viewport={"width": 400, "height": 800}, locale="ja-JP")
    expect(window.page.locator("#title")).to_have_text("位置情報")
    expect(window.page.get_by_role("button", name="1時間停止")).to_be_visible()
    expect(window.page.locator("html")).to_have_attribute("lang", "ja")
    window.close()
    window = Window(browser, viewport={"width": 1000, "height": 800}, locale="en-GB")
    expect(window.findings.first).to_be_visible()
    window.picture("light")
    window.close()


def paused(browser):
    """After a pause elsewhere: a person finds the app's accesses, ends the pause, and takes the permission away."""
    window = Window(browser, viewport={"width": 1000, "height": 800}, locale="en-GB")
    expect(window.state).to_contain_text("Location is paused for your programs until")
    window.card.locator("summary").click()
    expect(window.card.get_by_role("table")).to_contain_text("standard")
    window.page.get_by_role("button", name="Resume").click()
    expect(window.state).to_contain_text("Programs are told the place")
    window.card.get_by_role("combobox").first.select_option("denied")
    expect(window.card).to_contain_text("decided by: an administrator")
    window.close()


def has_zone(browser, zone, door):
    """Times and days are the machine's, in a browser that is elsewhere."""
    window = Window(browser, viewport={"width": 1000, "height": 800}, locale="en-GB", timezone_id="America/Los_Angeles")
    window.card.locator("summary").click()
    access = next(one for one in asked(door, "history")["entries"] if one["app"] == app)
    first = datetime.datetime.fromisoformat(access["first"]).astimezone(zoneinfo.ZoneInfo(zone))
    expect(window.card.locator("td").nth(1)).to_have_text(f"{first:%H:%M}")
    # Today's bar is the last of thirty.
    expect(window.card.locator("rect")).to_have_attribute("x", "291")
    expect(window.card).to_contain_text(f"last use {first:%d/%m/%Y}")
    window.close()


def long(browser):
    """An answer of the history has an end, and what it leaves out is there all the same."""
    window = Window(browser, viewport={"width": 400, "height": 800}, locale="en-GB")
    expect(window.card.get_by_role("img")).to_have_attribute("aria-label", "The last 30 days: 3 accesses on 1 day")
    window.close()


def gone(browser, daemon):
    """A wish that cannot be met is said in the page's language, here after the daemon's end."""
    window = Window(browser, viewport={"width": 400, "height": 800}, locale="ko-KR")
    expect(window.card).to_be_visible()
    os.kill(int(daemon), signal.SIGTERM)
    window.page.locator("#pause").click()
    expect(window.page.locator("#notice")).to_contain_text("서비스가")
    window.picture("gone-ko")
    window.close()


def run(browser, scenarios, *words):
    global address, app
    address, scenario, app, *arguments = words
    scenarios[scenario](browser, *arguments)


if __name__ == "__main__":
    main(run, globals())
