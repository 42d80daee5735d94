"""A site of its own whose page is opened in a real browser."""
import http.server
import threading

PATIENCE = 300_000


def result_of(browser, page):
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
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{site.server_port}/", wait_until="commit")
    tab.wait_for_function("window.result !== undefined", timeout=PATIENCE)
    result = tab.evaluate("window.result")
    context.close()
    return result
