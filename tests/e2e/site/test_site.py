"""A site with several writers: each has a library of their own, and reaches nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from pages.components.places import FILES
from store.hosting.records import AuditEvent, Identity
from store.hosting.registry import Registry
from tests.e2e.browsing import visit, wait_until_idle
from tests.e2e.site.running_site import (
    ANN,
    BEN,
    EVE,
    RunningSite,
    expect_library,
    running_provider,
    sign_in,
)

pytestmark = pytest.mark.browser

SECRET = "The bell under the lake has rung for Ann alone."
"""A premise that nobody but Ann may see."""
KEY = "sk-test-0123456789abcdef0123456789abcdef"
REFUSED = 403


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_provider(tmp_path_factory.mktemp("provider")) as address:
        yield address


@pytest.fixture(scope="module")
def site(provider: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    own = 'own_keys_at = ["https://api.openai.com/v1"]'
    with RunningSite(tmp_path_factory.mktemp("site"), provider, own) as running:
        yield running


@pytest.fixture
def people(browser: Browser) -> Iterator[People]:
    found = People(browser)
    yield found
    found.leave()


class People:
    """Several people at computers of their own."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def somebody(self) -> Page:
        context = self._browser.new_context(viewport={"width": 1280, "height": 800})
        self._contexts.append(context)
        return context.new_page()

    def signed_in(self, site: RunningSite, subject: str) -> Page:
        page = self.somebody()
        sign_in(page, site, subject)
        return page

    def leave(self) -> None:
        for context in self._contexts:
            context.close()


def begin_story(page: Page, site: RunningSite) -> str:
    """Begin a story with the secret premise, and return its id."""
    visit(page, site.url)
    expect_library(page)
    page.get_by_role("button", name="New story").click()
    premise = page.get_by_label("What is your story about?")
    premise.fill(SECRET)
    premise.blur()
    wait_until_idle(page)
    return parse_qs(urlsplit(page.url).query)["story"][0]


def cookies_of(page: Page, site: RunningSite) -> dict[str, str]:
    return {str(one["name"]): str(one["value"]) for one in page.context.cookies(site.url)}


def test_no_writer_reaches_the_story_of_another_by_its_address(
    site: RunningSite, people: People
) -> None:
    ann, ben = people.signed_in(site, ANN), people.signed_in(site, BEN)
    story = begin_story(ann, site)

    visit(ben, site.url)
    expect_library(ben)
    expect(ben.get_by_text(SECRET)).to_have_count(0)
    for file in FILES.values():
        name = "" if file == "app.py" else Path(file).stem
        visit(ben, f"{site.url}/{name}?{urlencode({'story': story})}")
        assert SECRET not in ben.content(), name
        assert story not in ben.url, name
    visit(ann, f"{site.url}/premise?{urlencode({'story': story})}")
    expect(ann.get_by_label("What is your story about?")).to_have_value(SECRET)


def test_file_of_one_writer_is_refused_to_all_others(site: RunningSite, people: People) -> None:
    ann, ben = people.signed_in(site, ANN), people.signed_in(site, BEN)
    story = begin_story(ann, site)
    visit(ann, f"{site.url}/export?{urlencode({'story': story})}")
    with ann.expect_download() as saved:
        ann.get_by_role("button", name="Download the whole story").click()
    address = saved.value.url

    def asked(cookies: dict[str, str]) -> httpx2.Response:
        return httpx2.get(address, cookies=cookies)

    assert SECRET in Path(saved.value.path()).read_text("utf-8")
    assert asked({}).status_code == REFUSED
    assert asked(cookies_of(ben, site)).status_code == REFUSED
    assert SECRET in asked(cookies_of(ann, site)).text


def test_nobody_is_let_in_without_a_sign_in_that_is_welcome(
    site: RunningSite, people: People
) -> None:
    stranger, eve = people.somebody(), people.somebody()
    for file in FILES.values():
        visit(stranger, f"{site.url}/{'' if file == 'app.py' else Path(file).stem}")
        expect(stranger.get_by_role("button", name="Sign in")).to_be_visible()
        expect(stranger.get_by_test_id("stSidebarUserContent")).to_have_count(0)
    sign_in(eve, site, EVE)
    expect(eve.get_by_text("Your account may not use this site")).to_be_visible()
    upload = httpx2.put(
        f"{site.url}/_stcore/upload_file/session/file",
        headers={"Origin": site.url},
        cookies=cookies_of(eve, site),
    )
    assert upload.status_code == REFUSED
    assert [one.subject for one in Registry(site.folder).writers() if one.subject == EVE] == []


def test_whoever_looks_after_the_site_shuts_a_writer_out_and_lets_them_in_again(
    site: RunningSite, people: People
) -> None:
    ben, ann = people.signed_in(site, BEN), people.signed_in(site, ANN)
    visit(ben, f"{site.url}/writers")
    expect(ben.get_by_text("This page is for whoever looks after the site")).to_be_visible()
    expect(ben.get_by_test_id("stSidebar").get_by_text("Writers")).to_have_count(0)

    visit(ann, f"{site.url}/writers")
    ann.get_by_role("button", name="Shut them out").click()
    expect(ann.get_by_role("button", name="Let them in again")).to_be_visible()
    visit(ben, site.url)
    expect(ben.get_by_text("Whoever runs this site has closed it to you")).to_be_visible()

    ann.get_by_role("button", name="Let them in again").click()
    expect(ann.get_by_role("button", name="Shut them out")).to_be_visible()
    visit(ben, site.url)
    expect_library(ben)


def test_writer_s_key_is_in_no_file_and_no_page(site: RunningSite, people: People) -> None:
    ben = people.signed_in(site, BEN)
    visit(ben, f"{site.url}/settings")
    ben.get_by_text("A model with a key of my own").click()
    ben.get_by_label("Model", exact=True).fill("gpt-x")
    ben.get_by_role("textbox", name="Your key").fill(KEY)
    ben.get_by_role("button", name="Save", exact=True).click()
    expect(ben.get_by_text("In use now")).to_have_count(0)
    expect(ben.get_by_test_id("stSidebar").get_by_text("gpt-x")).to_be_visible()
    expect(ben.get_by_role("textbox", name="Your key")).to_have_value("")

    assert KEY not in ben.content()
    files = [one for one in (*site.folder.rglob("*"), site.log) if one.is_file()]
    assert len(files) > 3
    assert [one.name for one in files if KEY.encode() in one.read_bytes()] == []


def test_site_writes_down_who_signs_in_and_saves_files_and_no_text(
    site: RunningSite, people: People
) -> None:
    ann = people.signed_in(site, ANN)
    story = begin_story(ann, site)
    visit(ann, f"{site.url}/export?{urlencode({'story': story})}")
    with ann.expect_download():
        ann.get_by_role("button", name="Download the whole story").click()
    me = next(one.id for one in Registry(site.folder).writers() if one.subject == ANN)
    mine = [line for line in Registry(site.folder).audit() if line.writer == me]

    assert {AuditEvent.SIGN_IN, AuditEvent.EXPORT} <= {line.event for line in mine}
    assert Identity(issuer=issuer_of(site, me), subject=ANN).writer == me
    log = site.log.read_text("utf-8")
    assert '"event": "export"' in log
    assert SECRET not in log
    assert SECRET not in str(mine)


def issuer_of(site: RunningSite, writer: str) -> str:
    return Registry(site.folder).writer(writer).issuer


def test_unsaved_text_of_one_writer_is_offered_to_no_other_at_the_same_browser(
    site: RunningSite, people: People
) -> None:
    """The site dies before it hears of it, so that the browser alone has what Ann typed last."""
    ann = people.signed_in(site, ANN)
    story = begin_story(ann, site)
    with site.standing_still():
        ann.get_by_label("What is your story about?").fill(f"{SECRET} And again.")
        ann.wait_for_function(
            "() => Object.keys(localStorage).some((key) => localStorage.getItem(key).includes('again'))"
        )
        browser = ann.context
        ann.close()
        site.kill()
    site.start()
    address = f"{site.url}/premise?{urlencode({'story': story})}"

    browser.clear_cookies()
    ben = browser.new_page()
    sign_in(ben, site, BEN)
    ben.get_by_role("button", name="New story").click()
    expect(ben.get_by_label("What is your story about?")).to_have_value("")
    assert ben.evaluate("() => window.tellwrightUnsaved.copies.length") == 0
    ben.close()
    browser.clear_cookies()
    again = browser.new_page()
    sign_in(again, site, ANN)
    visit(again, address)
    expect(again.get_by_role("button", name="Put it back")).to_be_visible()
    assert again.evaluate("() => window.tellwrightUnsaved.copies.length") == 1


def test_whoever_signs_out_is_asked_again(site: RunningSite, provider: str, people: People) -> None:
    ben = people.signed_in(site, BEN)
    expect_library(ben)
    ben.get_by_role("button", name="Sign out").click()
    ben.wait_for_url(f"{provider}/**")  # which asks whether they want to leave it as well
    visit(ben, site.url)
    expect(ben.get_by_role("button", name="Sign in")).to_be_visible()
