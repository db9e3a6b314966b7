"""What an interactive fiction says by itself, in the language of its story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """The words around the choices."""

    begin: str
    go_on: str
    first_question: str
    """Stands before a choice at the beginning of the story."""
    question: str
    """Stands before any other choice."""
    way_ends: str
    """Stands where a way not taken ends."""
    go_back: str
    stop: str
    """Chosen by a reader who does not want to follow a way beyond the story's end."""
    the_end: str


_WORDS: Mapping[str, Words] = {
    "en": Words(
        "Begin",
        "Go on",
        "How does it begin?",
        "How does it go on?",
        "This is how it would have ended.",
        "Go back to where the ways part",
        "End the story here",
        "The end",
    ),
    "zh": Words(
        "开始",
        "继续",
        "故事怎样开始？",
        "故事接下来怎样发展？",
        "故事本会这样结束。",
        "回到岔路口",
        "故事就到这里",
        "完",
    ),
    "zh-Hant": Words(
        "開始",
        "繼續",
        "故事怎樣開始？",
        "故事接下來怎樣發展？",
        "故事本會這樣結束。",
        "回到岔路口",
        "故事就到這裡",
        "完",
    ),
    "ja": Words(
        "はじめる",
        "続ける",
        "物語はどう始まる？",
        "物語はどう続く？",
        "こうして終わるはずだった。",
        "分かれ道に戻る",
        "物語をここで終える",
        "終わり",
    ),
    "de": Words(
        "Anfangen",
        "Weiter",
        "Wie fängt es an?",
        "Wie geht es weiter?",
        "So wäre es ausgegangen.",
        "Zurück zur Weggabelung",
        "Die Geschichte hier enden lassen",
        "Ende",
    ),
    "fr": Words(
        "Commencer",
        "Continuer",
        "Comment cela commence-t-il ?",
        "Que se passe-t-il ensuite ?",
        "C’est ainsi que cela se serait terminé.",
        "Revenir à la croisée des chemins",
        "Terminer l’histoire ici",
        "Fin",
    ),
    "es": Words(
        "Empezar",
        "Continuar",
        "¿Cómo empieza la historia?",
        "¿Cómo sigue la historia?",
        "Así habría terminado.",
        "Volver a la encrucijada",
        "Terminar la historia aquí",
        "Fin",
    ),
    "it": Words(
        "Inizia",
        "Continua",
        "Come inizia la storia?",
        "Come continua la storia?",
        "Così sarebbe finita.",
        "Torna al bivio",
        "Finisci qui la storia",
        "Fine",
    ),
    "pt": Words(
        "Começar",
        "Continuar",
        "Como começa a história?",
        "Como continua a história?",
        "Teria terminado assim.",
        "Voltar à encruzilhada",
        "Terminar a história aqui",
        "Fim",
    ),
    "ru": Words(
        "Начать",
        "Дальше",
        "С чего всё начинается?",
        "Что будет дальше?",
        "Вот чем бы всё закончилось.",
        "Вернуться к развилке",
        "Закончить историю здесь",
        "Конец",
    ),
}

_TRADITIONAL = frozenset({"zh-hant", "zh-tw", "zh-hk"})


def words_in(language: str) -> Words:
    """Return the words in the language of a tag (BCP 47); in English where there are none."""
    if language.casefold() in _TRADITIONAL:
        return _WORDS["zh-Hant"]
    return _WORDS.get(language.casefold().split("-")[0], _WORDS["en"])
