"""Where keys come from, and that what looks after a library ends with it."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest
import streamlit as st

from pages.serving import services
from pages.serving.services import look_up_key, workbench


def test_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "from the environment")

    assert look_up_key("SOME_KEY") == "from the environment"


def test_absent_key_and_absent_secrets_file_are_no_complaint(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("SOME_KEY", raising=False)

    assert look_up_key("SOME_KEY") is None
    assert "secrets" not in caplog.text.lower()


def test_key_comes_from_the_secrets_where_there_are_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secrets.toml"
    file.write_text('SOME_KEY = "from the secrets"\n[SOME_TABLE]\nkey = "x"\n', "utf-8")
    monkeypatch.setenv("SOME_KEY", "")
    monkeypatch.setattr(st, "secrets", type(st.secrets)())
    st.config.set_option("secrets.files", [str(file)])
    try:
        assert look_up_key("SOME_KEY") == "from the secrets"
        assert look_up_key("SOME_TABLE") is None
    finally:
        st.config.set_option("secrets.files", [])


def test_nothing_looks_after_a_library_that_is_closed_and_forgotten(
    library_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TELLWRIGHT_LIBRARY", str(library_path))
    services.forget()
    before = set(threading.enumerate())

    opened = workbench()
    looking = [one for one in threading.enumerate() if one not in before]
    assert [one.name for one in looking] == ["looking after"]
    opened.close()
    del opened
    services.forget()
    gc.collect()

    looking[0].join(60)
    assert not looking[0].is_alive()
