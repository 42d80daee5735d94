"""A page of another site in a real browser that tries to ask a service of places over HTTP: web-places.py PORT
It fails where an answer can be read, or a part of the page loads."""
import json

from chromium import main
from site_page import result_of

PAGE = """<!doctype html><title>stranger</title><body><script>
const heard = [];
let tried = 0;

async function asks(url, options) {
  tried += 1;
  try {
    const answer = await fetch(url, options);
    const text = await answer.text();
    if (answer.type !== 'opaque' || text.length > 0) heard.push(`fetch ${url} ${answer.type} ${text.length}`);
  } catch {}
}

function loads(name, url) {
  tried += 1;
  const part = document.createElement(name);
  return new Promise(done => {
    part.addEventListener('load', () => {
      try {
        if (name !== 'iframe') heard.push(`${name} ${url}`);
        else if (part.contentDocument && part.contentDocument.body.innerText) heard.push(`iframe ${url}`);
      } catch {}
      done();
    });
    part.addEventListener('error', done);
    part[name === 'link' ? 'href' : 'src'] = url;
    if (name === 'link') part.rel = 'stylesheet';
    document.body.append(part);
    setTimeout(done, 5000);
  });
}

async function tries(host) {
  for (const path of ['/search?q=Rue+Grimaldi', '/reverse?lat=43.7394&lon=7.4277', '/status',
    '/photon/api?q=Monaco', '/search?q=Monaco&json_callback=heard.push']) {
    const url = `http://${host}:PORT${path}`;
    for (const mode of ['cors', 'no-cors']) {
      await asks(url, {mode});
      await asks(url, {mode, referrerPolicy: 'no-referrer'});
      await asks(url, {mode, method: 'POST', body: 'q=Monaco'});
    }
    navigator.sendBeacon(url, 'q=Monaco');
    await Promise.all(['img', 'script', 'iframe', 'link'].map(name => loads(name, url)));
  }
}

Promise.all(['127.0.0.1', 'localhost'].map(tries)).then(() => { window.result = {heard, tried}; });
</script>"""


def run(browser, _, port):
    result = result_of(browser, PAGE.replace("PORT", port).encode())
    print(json.dumps(result))
    assert result["tried"] >= 100, result
    assert not result["heard"], result


if __name__ == "__main__":
    main(run, globals())
