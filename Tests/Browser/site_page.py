"""A site of its own whose page is opened in a real browser."""
import http.server
import os
import threading

from playwright.sync_api import sync_playwright

PATIENCE = 120_000


def result_of(page):
    """Serves a page, opens it in chromium, and returns the `window.result` that it comes to."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.getuid() == 0 else []
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        tab = browser.new_page()
        tab.goto(f"http://127.0.0.1:{site.server_port}/", wait_until="commit")
        tab.wait_for_function("window.result !== undefined", timeout=PATIENCE)
        result = tab.evaluate("window.result")
        browser.close()
    return result
