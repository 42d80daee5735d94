"""Does in a real browser what a person does on the page of settings: settings.py ADDRESS APP PICTURE

The daemon behind it has told APP a place, and knows no pause.
"""
import os
import sys

from playwright.sync_api import expect, sync_playwright

PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)
address, app, picture = sys.argv[1:]

with sync_playwright() as playwright:
    flags = ["--no-sandbox"] if os.getuid() == 0 else []
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
    context = browser.new_context(
        viewport={"width": 400, "height": 800}, color_scheme="dark", locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: line.type == "error" and complaints.append(line.text))
    page.goto(address, wait_until="commit")
    card = page.locator("#apps > li").filter(has_text=app)
    expect(card.get_by_role("img")).to_have_attribute("aria-label", "The last 30 days: 1 access on 1 day")
    expect(card).to_contain_text("It calls itself “Walker <b>”.")
    # The desktop's name and icon stand beside what the kernel says.
    known = page.locator("#apps > li").filter(has_text="app:org.a.Walk")
    expect(known.get_by_role("heading")).to_have_text("Walking <i>tours")
    assert known.locator("h2 img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 48
    card.locator("summary").click()
    expect(card.get_by_role("table")).to_contain_text("standard")
    page.screenshot(path=picture, full_page=True)
    # By the keyboard alone.
    page.get_by_role("button", name="Pause for an hour").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("Location is paused for your programs until")
    resume = page.get_by_role("button", name="Resume")
    expect(resume).to_be_focused()
    # The page keeps what is open, and where the keyboard is.
    expect(card.get_by_role("table")).to_be_visible()
    resume.click()
    expect(page.locator("#state")).to_contain_text("Programs are told the place")
    level = card.get_by_role("combobox").first
    level.select_option("denied")
    expect(card).to_contain_text("decided by: an administrator")
    expect(card.get_by_role("combobox")).to_have_count(1)
    expect(card.get_by_role("table")).to_be_visible()
    card.get_by_role("button", name="Forget the history").click()
    expect(card.get_by_role("img")).to_have_count(0)
    # The page has no more room than the window.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not complaints, complaints
    browser.close()
