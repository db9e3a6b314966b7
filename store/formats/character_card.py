"""People as character cards: JSON by the community's specification V2, alone or within a PNG picture.

Source: the specification "Character Card V2" (spec `chara_card_v2`), and, for reading, its successor V3.
A card has fewer fields than a person here, so all of them are in its extension, too, from which they come
back as they were. What a card says of how a chat is to be held is not of the story, and is left out.
"""

from __future__ import annotations

import base64
import io
import json
import warnings
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngImageFile, PngInfo
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from store.errors import CardUnreadable
from store.formats.extract import writable
from store.models.base import new_id
from store.models.cast import Character
from store.models.fields import shown_fields
from store.text import clip, first_characters

SPEC, SPEC_VERSION = "chara_card_v2", "2.0"
LARGEST = 20_000_000
"""The most bytes of a card."""
_EXTENSION = "tellwright"
_KEYS = ("ccv3", "chara")
"""Under which a picture holds the card, the newer first; its value is JSON in Base64."""
_MOST_PIXELS = 40_000_000
_PNG = b"\x89PNG\r\n\x1a\n"
_PICTURE, _GROUND, _INK = (400, 600), "#1f5a63", "#faf6ee"
_INITIAL = 220
"""The height of the letter in a picture, in pixels."""
_UNREAD = frozenset({"name", "personality", "life", "traits", "aliases"})
"""The fields of a person that are no line of a description."""
_LIMITS = {"personality": 400, "history": 20_000}


def _as_text(said: object) -> str:
    return writable(said).strip() if isinstance(said, str) else ""


_Text = Annotated[str, BeforeValidator(_as_text)]


class _Data(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: _Text = ""
    description: _Text = ""
    personality: _Text = ""
    scenario: _Text = ""
    extensions: dict[str, Any] = Field(default_factory=dict)


def export_card(person: Character) -> bytes:
    """Return a person as a card in JSON."""
    return json.dumps(_card(person), ensure_ascii=False, indent=2).encode()


def export_card_png(person: Character) -> bytes:
    """Return a person as a card within a picture: their initial on a plain ground."""
    picture = Image.new("RGB", _PICTURE, _GROUND)
    initial = person.name.strip()[:1].upper()
    if initial.isascii() and initial.isalpha():
        middle = (_PICTURE[0] // 2, _PICTURE[1] // 2)
        font = ImageFont.load_default(_INITIAL)
        ImageDraw.Draw(picture).text(middle, initial, fill=_INK, font=font, anchor="mm")
    held = PngInfo()
    held.add_text("chara", base64.b64encode(json.dumps(_card(person)).encode()).decode())
    target = io.BytesIO()
    picture.save(target, "PNG", pnginfo=held)
    return target.getvalue()


def read_card(content: bytes) -> Character:
    """Return the person that a card is of, with an id of its own.

    Raises:
        CardUnreadable: if it is no card, or names nobody.
    """
    if len(content) > LARGEST:
        raise CardUnreadable("This file is larger than any character card.")
    text = _text_in_picture(content) if content.startswith(_PNG) else content
    try:
        said = json.loads(text)
        data = _Data.model_validate(said.get("data", said) if isinstance(said, dict) else said)
    except (ValueError, RecursionError) as problem:
        raise CardUnreadable("This file is not a character card.") from problem
    if not data.name:
        raise CardUnreadable("This card does not say what the person is called.")
    return _own(data) or _foreign(data)


def _card(person: Character) -> dict[str, Any]:
    own = person.model_dump(mode="json", exclude={"id", "kind", "locked", "invented"})
    return {
        "spec": SPEC,
        "spec_version": SPEC_VERSION,
        "data": {
            "name": person.name,
            "description": "\n".join(_lines(person)),
            "personality": person.personality,
            **dict.fromkeys(("scenario", "first_mes", "mes_example", "creator_notes"), ""),
            **dict.fromkeys(("system_prompt", "post_history_instructions"), ""),
            **{"alternate_greetings": [], "tags": [], "creator": "", "character_version": ""},
            "extensions": {_EXTENSION: own},
        },
    }


def _lines(person: Character) -> Iterator[str]:
    for field, about in shown_fields(Character).items():
        text = getattr(person, field)
        if field not in _UNREAD and text:
            yield f"{about.label}: {text}"
    yield from (f"{trait.name}: {trait.value}" for trait in person.traits)


def _own(data: _Data) -> Character | None:
    """Return a person as this app has exported them; None if the card is not, or was changed since."""
    own = data.extensions.get(_EXTENSION)
    if not isinstance(own, Mapping):
        return None
    try:
        person = Character.model_validate({**own, "id": new_id(), "kind": "character"})
    except ValidationError:
        return None
    said = _Data.model_validate(_card(person)["data"])
    is_same = said.model_dump(exclude={"extensions"}) == data.model_dump(exclude={"extensions"})
    return person if is_same else None


def _foreign(data: _Data) -> Character:
    told = "\n\n".join(filter(None, (data.description, data.scenario)))
    name = data.name
    told = told.replace("{{char}}", name)
    personality = data.personality.replace("{{char}}", name)
    return Character(
        id=new_id(),
        name=clip(" ".join(name.split()), 80),
        personality=clip(" ".join(personality.split()), _LIMITS["personality"]),
        history=first_characters(told, _LIMITS["history"]),
    )


def _text_in_picture(content: bytes) -> bytes:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(content), formats=["PNG"])
        if not isinstance(picture, PngImageFile) or picture.width * picture.height > _MOST_PIXELS:
            raise CardUnreadable("This picture is larger than any character card.")
        texts = picture.text
        held = next((texts[key] for key in _KEYS if key in texts), None)
        if held is None:
            raise CardUnreadable("There is no character card in this picture.")
        return base64.b64decode(held, validate=True)
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError) as problem:
        raise CardUnreadable("This picture is damaged, or holds no character card.") from problem
