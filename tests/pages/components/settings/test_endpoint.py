"""A key is not the name of a variable."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pages.components.settings.endpoint import FieldsRefused, looks_like_key, variable_from

LETTERS = string.ascii_letters + string.digits


@pytest.mark.parametrize(
    "name",
    [
        "OPENAI_API_KEY",
        "DEEPSEEK_KEY",
        "my_key",
        "KEY2",
        "AZURE_OPENAI_API_KEY_WEST_EUROPE_2",
        "TheKeyThatMyProviderGaveMe",
    ],
)
def test_names_are_taken(name: str) -> None:
    assert variable_from(f" {name} ") == name


def test_no_name_means_no_key() -> None:
    assert variable_from("  ") is None


@given(
    some.sampled_from(["sk-", "sk-proj-", "gsk_", "hf_", "AIza", "xai-"]),
    some.text(LETTERS, min_size=8, max_size=60),
)
def test_keys_with_a_known_beginning_are_refused(beginning: str, rest: str) -> None:
    assert looks_like_key(beginning + rest)


@given(some.text("0123456789abcdef", min_size=32, max_size=64))
def test_long_runs_of_digits_and_letters_are_refused(key: str) -> None:
    if any(letter.isdigit() for letter in key):
        assert looks_like_key(key)


def test_refusal_does_not_repeat_the_key() -> None:
    key = "sk-4f9Kd02mXz71LqPw8RtY"
    with pytest.raises(FieldsRefused) as caught:
        variable_from(key)

    assert key not in str(caught.value)
