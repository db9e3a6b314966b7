"""Who somebody is, by what an identity provider says of them."""

from __future__ import annotations

import pytest

from pages.serving import files
from pages.serving.visitors import visit_of, writer_of_cookies

SAID = {"iss": "https://id.example", "sub": "7", "email": "ann@x.example", "iat": 5}


@pytest.mark.parametrize("missing", ["iss", "sub"])
def test_nobody_is_known_without_issuer_and_subject(missing: str) -> None:
    assert visit_of({**SAID, missing: ""}) is None
    assert visit_of({name: said for name, said in SAID.items() if name != missing}) is None
    assert visit_of({**SAID, missing: ["a"]}) is None


def test_address_counts_only_if_it_is_verified() -> None:
    def email(**more: object) -> str:
        found = visit_of({**SAID, **more})
        assert found is not None
        return found.identity.email

    assert email(email_verified=True) == "ann@x.example"
    assert [email(), email(email_verified=False), email(email_verified="true")] == ["", "", ""]
    trusted = visit_of(SAID, trusts_emails=True)
    assert trusted is not None
    assert trusted.identity.email == "ann@x.example"


def test_new_sign_in_has_another_ticket_and_is_the_same_writer() -> None:
    first, second = visit_of(SAID), visit_of({**SAID, "iat": 6, "name": " A \n B "})

    assert first is not None
    assert second is not None
    assert first.ticket != second.ticket
    assert first.identity.writer == second.identity.writer
    assert second.identity.name == "A B"


@pytest.mark.parametrize("value", ["", "forged", '{"is_logged_in": true, "sub": "7"}'])
def test_cookie_that_nobody_signed_names_nobody(value: str) -> None:
    assert writer_of_cookies({"_streamlit_user": value}) is None


def test_file_is_its_writer_s_alone() -> None:
    files.belongs_to("ann", b"text", "text/plain", "a.txt")
    name = next(reversed(files._owners))

    assert files.may_have("ann", f"{name}.txt")
    assert not files.may_have("ben", f"{name}.txt")
    assert not files.may_have(None, name)
    assert not files.may_have("ann", "0" * 56)
