"""A person with a desktop, in a machine that was installed a minute ago: a panel of Xfce's shows a program that is told the
place, its menu pauses, the history names it, and the page of settings takes its permission away, with the person's password.

Pictures of the screen and the page are kept in the folder of the try, under pictures.
"""
import shutil

from machine import *

place = sys.argv[2]
sys.path.insert(0, os.path.join(place, "../browser"))
from playwright.sync_api import expect as see, sync_playwright

alice, app = "alice", "exe:/usr/bin/locationctl"
DISPLAY, PORT_OF_BROWSER, PASSWORD = ":7", 29222, "correct horse"
SETTINGS, PAUSE = 1, 2
# The message "begins to be told the place in the background".
BACKGROUND = "6b1ff2b0c9a04f37a7d3ac4b7f0f1c06"
pictures = os.path.join(place, "pictures")
shutil.rmtree(pictures, ignore_errors=True)
os.makedirs(pictures)
root = f"/proc/{leader(machine)}/root"
see.set_options(timeout=PATIENCE * 1000)

PANEL = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="40"/>
      <property name="length" type="uint" value="100"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty"><property name="plugin-1" type="string" value="systray"/></property>
</channel>
"""
BROWSER = (f'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --remote-debugging-port={PORT_OF_BROWSER} --no-first-run'
           ' --user-data-dir=/home/alice/profile --disable-gpu --password-store=basic"\n')


def put(path, text):
    """Writes a file of the machine."""
    os.makedirs(os.path.dirname(root + path), exist_ok=True)
    with open(root + path, "w", encoding="utf-8") as file:
        file.write(text)


SESSION = "XDG_RUNTIME_DIR=/run/user/$(id -u) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus"


def names():
    """The names on her session's bus."""
    return run(f"{SESSION} busctl --user --acquired --no-pager --no-legend list | cut -d' ' -f1", alice)


def types(words):
    return run(f"DISPLAY={DISPLAY} xdotool {words}", alice)


def picture(name):
    run(f"DISPLAY={DISPLAY} import -window root /tmp/{name}.png", alice)
    shutil.copy(f"{root}/tmp/{name}.png", pictures)
    with open(f"{pictures}/{name}.png", "rb") as file:
        return file.read()


def choose(name, entry):
    """Opens the menu of the panel's only icon and chooses the entry of this number, from the last one upwards."""
    # The pointer shows no tooltip meanwhile.
    types("mousemove 600 500")
    before = picture("before")
    types("mousemove 20 20 click 1")
    wait(lambda: picture(name) != before, "no menu opens")
    types("key --delay 200 " + "Up " * entry + "Return")


start()
step("a desktop is installed, and locationd with its map")
run("printf 'Binary::apt::APT::Keep-Downloaded-Packages \"true\";\\n' >/etc/apt/apt.conf.d/50try")
run(f"{QUIET} install -y --no-install-recommends xvfb openbox xfce4-panel xfconf lxpolkit polkitd chromium xdotool xdg-utils"
    " imagemagick dbus-bin adwaita-icon-theme librsvg2-common fonts-dejavu-core fonts-noto-cjk")
put("/etc/chromium.d/try", BROWSER)
apt(f"install -y {package('locationd', 'locationd-map')}")
put("/etc/locationd/locationd.conf.d/here.conf", "[Sources]\nSource=static:48.1173,11.5167,500,5\n")
run("systemctl restart locationd")
run(f"echo '{alice}:{PASSWORD}' | chpasswd")
put("/home/alice/.config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml", PANEL)
run("chown -R alice: /home/alice/.config")

step("she signs in; her panel shows nothing yet")
desktop = Program(
    "desktop",
    f"export DISPLAY={DISPLAY} XDG_CURRENT_DESKTOP=XFCE NO_AT_BRIDGE=1 {SESSION};"
    f" Xvfb {DISPLAY} -screen 0 1100x800x24 -nolisten tcp >/dev/null 2>&1 &"
    f" until DISPLAY={DISPLAY} xdotool getmouselocation >/dev/null 2>&1; do sleep 0.1; done;"
    " systemctl --user import-environment DISPLAY XDG_CURRENT_DESKTOP;"
    " openbox & lxpolkit & xfce4-panel & echo signed in; wait", alice)
expect(desktop.wait("signed in"), "there is no desktop")
wait(lambda: "org.kde.StatusNotifierWatcher" in names(), "the panel watches no items")
items = Program("items", f"{SESSION} dbus-monitor --session member=StatusNotifierItemRegistered", alice)
expect(items.wait("NameAcquired|member="), "the bus cannot be watched")
wait(lambda: run("systemctl --user --machine=alice@ is-active locationd-agent", exit=None).strip() == "active", "there is no agent")

step("a program begins to use the place: it is in the panel within a second")
run(f"locationctl grant {app} always --uid alice")
delays = []
for _ in range(5):
    begun = time.monotonic()
    user = Program("user", "locationctl watch", alice)
    told, shown = user.wait("48.117", begun), items.wait("member=StatusNotifierItemRegistered", begun)
    expect(told and shown, f"it is not in the panel:\n{user.text()}\n{items.text()}")
    delays.append(max(shown[0] - told[0], 0))
    if len(delays) < 5:
        # A signal to what entered the machine leaves the program there.
        run("pkill -x locationctl", alice)
        wait(lambda: "StatusNotifierItem-" not in names(), "it stays in the panel")
median = sorted(delays)[2]
# A machine that is busy has as many seconds as each core has programs that want it.
allowed = max(1, os.getloadavg()[0] / os.cpu_count())
print("  " + ", ".join(f"{delay:.2f}" for delay in delays) + f" s after the place; median {median:.2f} s, allowed {allowed:.1f} s")
expect(median < allowed, f"it is in the panel {delays} s later")

step("a service that is told the place in the background is one line of the journal, without the place")
SERVICE = "unit:walker.service"
run(f"locationctl grant {SERVICE} always --uid games")


def walk():
    """A service of the machine's is told a place, and goes on."""
    run("systemd-run --quiet --uid=games --unit=walker --collect locationctl watch --json")
    invocation = run("systemctl show walker --property=InvocationID --value").strip()
    wait(lambda: "48.117" in run(f"journalctl --no-pager --output=cat _SYSTEMD_INVOCATION_ID={invocation}"), "the service is told no place")


def lines():
    text = run(f"journalctl --sync; journalctl --no-pager --output=json MESSAGE_ID={BACKGROUND}")
    return [line for line in text.splitlines() if SERVICE in line]


walk()
wait(lambda: lines(), "the journal has no line")
run("systemctl stop walker")
run(f"locationctl history forget --uid games; locationctl reset {SERVICE} --uid games")
run(f"locationctl grant {SERVICE} always --uid games")
walk()
line = lines()
expect(len(line) == 1, f"the journal has not one line:\n{line}")
expect(not re.search(r"48\.1|11\.5", line[0]), f"a place is in the journal:\n{line}")
told = json.loads(line[0])
expect("begins to be told the place in the background" in told["MESSAGE"], f"the line says:\n{told}")
expect(SERVICE in run("locationctl history --uid games"), "it is not in the history")

step("the icon's menu pauses for an hour, and the program hears of it")
begun = time.monotonic()
choose("menu", PAUSE)
expect(user.wait("denied|paused|off", begun), f"it is not paused:\n{user.text()}")
wait(lambda: "pause" in json.loads(run("locationctl status --json", alice)), "her programs know of no pause")

step("what goes on in the pause is named, with the command that stops it")
GOES_ON = "sudo systemctl stop walker.service"
expect(GOES_ON in run("locationctl status", alice), "status does not name it")
chart = Program("map", "locationctl map --no-browser", alice)
found = chart.wait(r"http://127\.0\.0\.1:\S+")
expect(found, f"no map is served:\n{chart.text()}")
page_of_map = re.search(r"http://\S+", found[1])[0]

step("she finds it in the history, without a password")
history = run("locationctl history", alice)
expect(app in history and "standard" in history, f"it is not there:\n{history}")

step("another user of the machine learns nothing of it")
run("useradd --create-home --shell /bin/bash bob")
expect(run("locationctl history", "bob").startswith("No app of yours"), "bob sees a history")
expect("pause" not in run("locationctl status --json", "bob"), "bob sees a pause")
run("locationctl history --uid alice", "bob", exit=3)

step("the menu opens the page of settings in her browser")
choose("menu-paused", SETTINGS)
with sync_playwright() as playwright:
    def connect():
        try:
            return playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{PORT_OF_BROWSER}")
        except Exception:
            return None

    browser = wait(connect, "no browser opens")
    page = wait(lambda: next((page for context in browser.contexts for page in context.pages
                              if "/settings.html" in page.url), None), "the page does not open")
    see(page.locator("#state")).to_contain_text("Location is paused for your programs until")
    see(page.locator("#state")).to_contain_text(GOES_ON)
    other = page.context.new_page()
    other.goto(page_of_map)
    see(other.locator("#notice")).to_contain_text("Location is paused until")
    see(other.locator("#notice")).to_contain_text(GOES_ON)
    other.screenshot(path=f"{pictures}/map-paused.png")
    other.close()
    page.bring_to_front()
    card = page.locator("#apps > li").filter(has_text=app)
    see(card.get_by_role("img")).to_be_visible()
    see(page.get_by_role("region", name="What doctor says")).to_contain_text("Well locationd")
    picture("page-paused")

    step("she ends the pause there, and takes the program's permission away with her password")
    page.get_by_role("button", name="Resume").click()
    see(page.locator("#state")).to_contain_text("Programs are told the place")
    since = time.monotonic()
    expect(user.wait("48.117", since), f"it is told no place again:\n{user.text()}")
    card.get_by_role("combobox").first.select_option("denied")
    dialog = wait(lambda: run(f"DISPLAY={DISPLAY} xdotool search --onlyvisible --class lxpolkit", alice, exit=None).split(),
                  "no password is asked for")[-1]
    types(f"windowfocus --sync {dialog}")
    picture("password")
    types(f"type '{PASSWORD}'")
    types("key Return")
    # Without a permission there is no exactness to choose.
    see(card.get_by_role("combobox")).to_have_count(1)
    expect("denied" in run(f"locationctl apps", alice), "it may still know")
    picture("page")
    wait(lambda: "StatusNotifierItem-" not in names(), "it stays in the panel")
    for name, scheme, width, language in (("light", "light", 1000, "en-GB"), ("dark", "dark", 1000, "en-GB"),
                                          ("phone", "light", 390, "en-GB"), ("ko", "dark", 390, "ko-KR")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{page.url.split('?')[0]}?lang={language}")
        see(page.locator("#findings > li").first).to_be_visible()
        page.screenshot(path=f"{pictures}/{name}.png", full_page=True)
    browser.close()

print(f"  the pictures are in {os.path.realpath(pictures)}")
