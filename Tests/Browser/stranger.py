"""A page in a real browser that tries every way to say a receiver's words at ports of this machine, and to hear them:
stranger.py PORT... It fails where one byte comes back, and prints the beginnings that a port heard.

Each port is tried itself, and through a relay that counts."""
import json
import socket
import threading

from chromium import main
from site_page import result_of

PAGE = """<!doctype html><title>stranger</title><body><script>
const words = '\\r\\n?WATCH={"enable":true,"json":true,"nmea":true};\\r\\n?POLL;\\r\\n';
const heard = [];
const patience = () => new Promise(done => setTimeout(done, 3000));
const ended = (thing, ...names) => new Promise(done => names.forEach(name => thing.addEventListener(name, done)));

async function asks(url, options) {
  try {
    const answer = await fetch(url, options);
    heard.push(`fetch ${url} ${answer.type} ${(await answer.text()).length}`);
  } catch {}
}

function loads(name, url) {
  const part = document.createElement(name);
  part.addEventListener('load', () => { if (name !== 'iframe') heard.push(`${name} ${url}`); });
  part[name === 'object' ? 'data' : 'src'] = url;
  document.body.append(part);
  return ended(part, 'load', 'error');
}

function posts(url) {
  const form = Object.assign(document.createElement('form'), {action: url, method: 'POST', enctype: 'text/plain'});
  const frame = Object.assign(document.createElement('iframe'), {name: url});
  const field = Object.assign(document.createElement('input'), {name: words, value: words});
  form.target = url;
  form.append(field);
  document.body.append(frame, form);
  form.submit();
}

function listens(port, scheme) {
  const web = new WebSocket(`${scheme}://127.0.0.1:${port}/`);
  web.onopen = () => { heard.push(`websocket ${port}`); web.send(words); };
  web.onmessage = message => heard.push(`websocket ${port} ${message.data}`);
  return ended(web, 'close', 'error');
}

async function calls(port, scheme) {
  const server = {urls: `${scheme}:127.0.0.1:${port}?transport=tcp`, username: words, credential: words};
  const call = new RTCPeerConnection({iceServers: [server], iceTransportPolicy: 'relay'});
  call.onicecandidate = ({candidate}) => { if (candidate) heard.push(`call ${port} ${candidate.candidate}`); };
  call.createDataChannel('x');
  await call.setLocalDescription();
}

async function tries(port) {
  for (const scheme of ['http', 'https']) {
    const url = `${scheme}://127.0.0.1:${port}/`;
    for (const mode of ['cors', 'no-cors']) {
      await asks(url, {mode});
      await asks(url, {mode, method: 'POST', body: words});
    }
    await asks(url, {method: 'PUT', body: words, headers: {'x-words': '1'}});
    navigator.sendBeacon(url, words);
    posts(url);
    const source = new EventSource(url);
    source.onmessage = event => heard.push(`events ${port} ${event.data}`);
    const all = ['img', 'script', 'iframe', 'object'].map(name => loads(name, url));
    all.push(listens(port, scheme === 'http' ? 'ws' : 'wss'));
    await calls(port, scheme === 'http' ? 'turn' : 'turns');
    await Promise.race([Promise.all(all), patience()]);
    source.close();
  }
}

Promise.all(PORTS.map(tries)).then(patience).then(() => {
  window.result = heard;
});
</script>"""


class Relay:
    """A port that leads to another, and counts what comes back."""

    def __init__(self, port):
        self.to = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.beginnings, self.back, self.greetings = [], 0, 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            threading.Thread(target=self.lead, args=(self.listener.accept()[0],), daemon=True).start()

    def lead(self, one):
        """Connects once there is something to say: who connects and says nothing is no browser."""
        with one:
            text = one.recv(65536)
            if not text:
                return
            self.beginnings.append(text[:8])
            with socket.create_connection(("127.0.0.1", self.to)) as other:
                try:
                    other.sendall(text)
                    while answer := other.recv(65536):
                        # On a busy machine some connect long before they speak, and are greeted as gpsd greets.
                        if answer.startswith(b'{"class":"VERSION"') and answer.count(b"\n") == 1:
                            self.greetings += 1
                        else:
                            self.back += len(answer)
                        one.sendall(answer)
                except OSError:
                    pass


def run(browser, _, *words):
    ports = [int(text) for text in words]
    relays = [Relay(port) for port in ports]
    all = ports + [relay.port for relay in relays]
    heard = result_of(browser, PAGE.replace("PORTS", json.dumps(all)).encode())
    print(json.dumps({"heard": heard, "back": [relay.back for relay in relays]}))
    for relay in relays:
        kinds = sorted({beginning.split(b" ")[0] for beginning in relay.beginnings})
        print(len(relay.beginnings), *kinds, f"{relay.greetings} greeted")
        # The page has tried: words of the web, of TLS and of calls.
        assert {b"GET", b"POST"} <= set(kinds) and any(kind.startswith(b"\x16\x03") for kind in kinds), kinds
        assert any(kind.startswith(b"\0\3") for kind in kinds), kinds
        assert relay.back == 0, relay.back
    assert not heard, heard


if __name__ == "__main__":
    main(run, globals())
