"""The settings of a site, from the file `site.toml` in its folder."""

from __future__ import annotations

import secrets
import tomllib
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from graph_flow.errors import SiteUnusable
from store.hosting.records import Identity
from store.models.base import Line, Record
from store.models.endpoint import Endpoint

FILE = "site.toml"
_SHORTEST_SECRET = 32


class SiteSettings(Record):
    """What a site grants.

    `writers` and `admins` are e-mail addresses, in which `*` stands for anything. A limit that is
    not given does not exist; `money_a_month` counts what the site's own models cost, at the prices
    that are given for them.
    """

    name: Line = "Tellwright"
    writers: tuple[str, ...] = ()
    admins: tuple[str, ...] = ()
    trust_emails: bool = False
    """Whether an e-mail address counts that the provider does not say it has verified."""
    stories: Annotated[int, Field(ge=1)] | None = None
    calls_a_day: Annotated[int, Field(ge=0)] | None = None
    money_a_month: Annotated[float, Field(ge=0)] | None = None
    own_keys_at: tuple[str, ...] = ()
    sample_model: bool = True

    def welcomes(self, identity: Identity) -> bool:
        """Return whether somebody may sign in."""
        return "*" in self.writers or _is_among(identity, (*self.writers, *self.admins))

    def is_admin(self, identity: Identity) -> bool:
        """Return whether somebody looks after the site."""
        return _is_among(identity, self.admins)


class SiteFile(Record):
    """The whole file but for the part that Streamlit reads by itself."""

    site: SiteSettings
    models: tuple[Endpoint, ...] = ()


def _is_among(identity: Identity, patterns: tuple[str, ...]) -> bool:
    email = identity.email.strip().casefold()
    return bool(email) and any(fnmatchcase(email, one.strip().casefold()) for one in patterns)


def read_site(folder: Path) -> SiteFile:
    """Return the settings of a site.

    Raises:
        SiteUnusable: if there are none, or something in them is wrong; it says what, and never
            repeats a value: the file holds secrets.
    """
    found = _parsed(folder / FILE)
    _check_sign_in(found.get("auth"))
    given = {name: value for name, value in found.items() if name in SiteFile.model_fields}
    try:
        file = SiteFile.model_validate(given)
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise SiteUnusable(f"{FILE}: {where}: {problem['msg']}.") from None
    if not (file.site.writers or file.site.admins):
        raise SiteUnusable(
            f"{FILE}: nobody may sign in. Name them under [site], such as "
            'writers = ["*@school.example"].'
        )
    for one in (*file.site.own_keys_at, *(model.base_url for model in file.models)):
        if urlsplit(one).scheme not in {"http", "https"} or not urlsplit(one).hostname:
            raise SiteUnusable(
                f"{FILE}: an address of a model must begin with https:// or http://."
            )
    return file


def origin_of(folder: Path) -> str:
    """Return the address by which browsers reach a site: scheme, host and port.

    Raises:
        SiteUnusable: as `read_site`.
    """
    auth = _parsed(folder / FILE).get("auth")
    _check_sign_in(auth)
    address = urlsplit(str(auth["redirect_uri"])) if isinstance(auth, dict) else urlsplit("")
    return f"{address.scheme}://{address.netloc}"


def write_example(folder: Path) -> Path:
    """Write the settings of a new site, to be filled in, and return their path.

    Raises:
        OSError: if that cannot be done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    path.touch(mode=0o600, exist_ok=False)
    path.write_text(_EXAMPLE.replace("SECRET", secrets.token_urlsafe(48)), encoding="utf-8")
    return path


def _parsed(path: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SiteUnusable(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SiteUnusable(f"{path} is not text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise SiteUnusable(f"{path} is not right: {error}.") from None


def _check_sign_in(auth: object) -> None:
    """Check what Streamlit needs to let people sign in, before it says so to the first of them."""
    needed = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
    if not isinstance(auth, dict):
        raise SiteUnusable(f"{FILE}: the part [auth], by which people sign in, is missing.")
    for name in needed:
        if not isinstance(auth.get(name), str) or not auth[name].strip():
            raise SiteUnusable(f"{FILE}: [auth] needs {name}.")
    if len(auth["cookie_secret"]) < _SHORTEST_SECRET:
        raise SiteUnusable(
            f"{FILE}: cookie_secret must have at least {_SHORTEST_SECRET} characters, chosen at random."
        )
    address = urlsplit(auth["redirect_uri"])
    if address.scheme not in {"http", "https"} or not address.netloc:
        raise SiteUnusable(f"{FILE}: redirect_uri must begin with https:// or http://.")
    if not address.path.endswith("/oauth2callback"):
        raise SiteUnusable(f"{FILE}: redirect_uri must end in /oauth2callback.")


_EXAMPLE = """\
# The settings of this site. docs/HOSTING.md explains each of them. Keep this file to yourself: it
# holds secrets.

[auth]
# Where people reach the site, with /oauth2callback at the end; tell your identity provider too.
redirect_uri = "https://tales.example/oauth2callback"
# Signs the cookies of those who have signed in. Whoever changes it signs everybody out.
cookie_secret = "SECRET"
# From your identity provider (OIDC): Google, Microsoft, Keycloak, Authentik, Dex, ...
client_id = ""
client_secret = ""
server_metadata_url = "https://provider.example/.well-known/openid-configuration"

[site]
name = "Tellwright"
# Who may sign in, by the e-mail address that the provider has verified; "*" is anybody it knows.
writers = ["*@school.example"]
# Who sees the page *Site*: everybody's use, never their stories.
admins = ["teacher@school.example"]
# What each writer may use. Leave a line out for no limit.
stories = 50
calls_a_day = 2000
money_a_month = 5.0
# Where writers may use keys of their own.
own_keys_at = ["https://api.openai.com/v1", "https://openrouter.ai/api/v1"]
# Whether there is the small model that comes with Tellwright.
sample_model = true

# Models that the site pays for; the first is everybody's unless they choose another. The key is in
# the environment variable that is named here. Prices are for a million tokens.
# [[models]]
# name = "The class's model"
# base_url = "https://api.openai.com/v1"
# model = "gpt-5-mini"
# key_variable = "OPENAI_API_KEY"
# price_in = 0.25
# price_out = 2.0
"""
