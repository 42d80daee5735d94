"""Debian's chromium, for the scripts of this folder."""
import os
import sys

from playwright.sync_api import sync_playwright


def chromium(playwright):
    flags = ["--no-sandbox"] if os.getuid() == 0 else []
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)


def main(run, scenarios):
    """A script by hand, with the words of the command line."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        run(browser, scenarios, *sys.argv[1:])
        browser.close()
