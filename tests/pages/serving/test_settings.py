"""The settings of a site are checked before anybody signs in, and no secret is repeated."""

from __future__ import annotations

import stat
import tomllib
from pathlib import Path

import pytest

from graph_flow.errors import SiteUnusable
from pages.serving.settings import FILE, SiteSettings, origin_of, read_site, write_example
from store.hosting.records import Identity

SECRET = "a cookie secret that nobody may read in a message"
AUTH = f"""
[auth]
redirect_uri = "https://tales.example/oauth2callback"
cookie_secret = "{SECRET}"
client_id = "tellwright"
client_secret = "client secret"
server_metadata_url = "https://id.example/.well-known/openid-configuration"
"""
SITE = """
[site]
writers = ["*@school.example"]
admins = ["head@office.example"]
"""


def written(folder: Path, text: str) -> Path:
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


def somebody(email: str) -> Identity:
    return Identity(issuer="https://id.example", subject="1", email=email)


def test_settings_are_read(tmp_path: Path) -> None:
    model = '[[models]]\nname = "Ours"\nbase_url = "https://m.example/v1"\nmodel = "m"\n'

    file = read_site(written(tmp_path, AUTH + SITE + "calls_a_day = 7\n" + model))

    assert file.site.calls_a_day == 7
    assert file.site.stories is None
    assert [one.name for one in file.models] == ["Ours"]
    assert origin_of(tmp_path) == "https://tales.example"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SITE, r"\[auth\]"),
        (AUTH.replace("client_id", "client"), "client_id"),
        (AUTH.replace(SECRET, "short"), "cookie_secret"),
        (AUTH.replace("/oauth2callback", "/"), "redirect_uri"),
        (AUTH.replace("https://tales", "tales") + SITE, "redirect_uri"),
        (AUTH, "site"),
        (f"{AUTH}[site]\n", "nobody may sign in"),
        (f"{AUTH}{SITE}stories = 0\n", "site.stories"),
        (f"{AUTH}{SITE}storeys = 5\n", "site.storeys"),
        (f'{AUTH}{SITE}own_keys_at = ["file:///etc/passwd"]\n', "address"),
        (f"{AUTH}{SITE}calls_a_day = {SECRET}\n", "is not right"),
    ],
)
def test_what_is_wrong_is_said_without_repeating_a_secret(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SiteUnusable, match=said) as refused:
        read_site(written(tmp_path, text))
    assert SECRET not in str(refused.value)


def test_example_is_for_its_owner_s_eyes_and_has_a_secret_of_its_own(tmp_path: Path) -> None:
    made, other = write_example(tmp_path / "a"), write_example(tmp_path / "b")

    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    secrets = [
        tomllib.loads(one.read_text("utf-8"))["auth"]["cookie_secret"] for one in (made, other)
    ]
    assert len(set(secrets)) == 2
    assert min(map(len, secrets)) >= 48
    with pytest.raises(SiteUnusable, match="client_id"):
        read_site(tmp_path / "a")  # it is still to be filled in
    with pytest.raises(FileExistsError):
        write_example(tmp_path / "a")


@pytest.mark.parametrize(
    ("email", "is_welcome", "is_admin"),
    [
        ("Ann@School.Example", True, False),
        ("head@office.example", True, True),
        ("other@office.example", False, False),
        ("ann@school.example.evil.example", False, False),
        ("", False, False),
    ],
)
def test_those_named_are_welcome(email: str, is_welcome: bool, is_admin: bool) -> None:
    site = SiteSettings(writers=("*@school.example",), admins=("head@office.example",))

    assert site.welcomes(somebody(email)) is is_welcome
    assert site.is_admin(somebody(email)) is is_admin


def test_star_welcomes_all_whom_the_provider_knows() -> None:
    assert SiteSettings(writers=("*",)).welcomes(somebody(""))
