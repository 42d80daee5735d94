"""Does scenarios one after the other in one browser, each in a window of its own: serve.py

Each line of its input names a script of this folder, its arguments and its environment; each line of its output has what
was printed, and says if all was as it should be.
"""
import contextlib
import importlib
import io
import json
import os
import sys
import traceback

from playwright.sync_api import sync_playwright

from chromium import chromium

with sync_playwright() as playwright:
    browser = chromium(playwright)
    for line in sys.stdin:
        asked = json.loads(line)
        for name in ("PICTURE", "WINDOW"):
            os.environ.pop(name, None)
        os.environ.update(asked["environment"])
        text = io.StringIO()
        passed = False
        with contextlib.redirect_stdout(text):
            try:
                script = importlib.import_module(asked["script"])
                script.run(browser, vars(script), *asked["arguments"])
                passed = True
            except BaseException:
                traceback.print_exc(file=text)
        print(json.dumps({"text": text.getvalue(), "passed": passed}), flush=True)
    browser.close()
