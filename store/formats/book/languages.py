"""The tag by which files name the language of a book (BCP 47)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from store.text import fold

UNDETERMINED = "und"
"""The tag of a text whose language is not known."""

_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}", re.IGNORECASE)

_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("english", "american english", "british english"), "en"),
    **dict.fromkeys(
        ("chinese", "simplified chinese", "mandarin", "中文", "简体中文", "汉语", "普通话"),
        "zh-Hans",
    ),
    **dict.fromkeys(("traditional chinese", "繁體中文", "繁体中文", "正體中文"), "zh-Hant"),
    **dict.fromkeys(("japanese", "日本語", "日语"), "ja"),
    **dict.fromkeys(("korean", "한국어"), "ko"),
    **dict.fromkeys(("german", "deutsch"), "de"),
    **dict.fromkeys(("french", "français", "francais"), "fr"),
    **dict.fromkeys(("spanish", "español", "espanol", "castellano"), "es"),
    **dict.fromkeys(("italian", "italiano"), "it"),
    **dict.fromkeys(("portuguese", "português", "portugues"), "pt"),
    **dict.fromkeys(("dutch", "nederlands"), "nl"),
    **dict.fromkeys(("polish", "polski"), "pl"),
    **dict.fromkeys(("russian", "русский"), "ru"),
    **dict.fromkeys(("ukrainian", "українська"), "uk"),
    **dict.fromkeys(("turkish", "türkçe"), "tr"),
    **dict.fromkeys(("arabic", "العربية"), "ar"),
    **dict.fromkeys(("hebrew", "עברית"), "he"),
    **dict.fromkeys(("hindi", "हिन्दी"), "hi"),
    **dict.fromkeys(("swedish", "svenska"), "sv"),
    **dict.fromkeys(("danish", "dansk"), "da"),
    **dict.fromkeys(("norwegian", "norsk"), "no"),
    **dict.fromkeys(("finnish", "suomi"), "fi"),
    **dict.fromkeys(("czech", "čeština"), "cs"),
    **dict.fromkeys(("greek", "ελληνικά"), "el"),
    **dict.fromkeys(("thai", "ไทย"), "th"),
    **dict.fromkeys(("vietnamese", "tiếng việt"), "vi"),
}
_BY_FOLDED_NAME = {fold(name): tag for name, tag in _NAMES.items()}

_SCRIPTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[\u3040-\u30ff]"), "ja"),
    (re.compile(r"[\uac00-\ud7af]"), "ko"),
    (re.compile(r"[\u3400-\u9fff]"), "zh"),
    (re.compile(r"[\u0e00-\u0e7f]"), "th"),
    (re.compile(r"[\u0590-\u05ff]"), "he"),
    (re.compile(r"[\u0600-\u06ff]"), "ar"),
    (re.compile(r"[\u0370-\u03ff]"), "el"),
    (re.compile(r"[\u0900-\u097f]"), "hi"),
)


def language_tag(name: str, text: str = "") -> str:
    """Return the tag of a language by its name, its tag, or the script of a text in it.

    A text in a script that several languages share tells nothing: it is `UNDETERMINED`, but one in
    Latin letters with frequent English words is taken to be English.
    """
    folded = fold(" ".join(name.split()))
    if folded in _BY_FOLDED_NAME:
        return _BY_FOLDED_NAME[folded]
    if _TAG.fullmatch(folded) and len(folded.split("-")[0]) == 2:
        return folded
    for script, tag in _SCRIPTS:
        if len(script.findall(text)) * 20 > len(text):
            return tag
    return "en" if _is_english(text) else UNDETERMINED


def _is_english(text: str) -> bool:
    words = re.findall(r"[a-z']+", text.casefold())
    return sum(word in {"the", "and", "of", "was", "to"} for word in words) * 12 > max(
        1, len(words)
    )
