"""What could happen next: a few short options."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel

from graph_flow.llm.schema import AnswerSchema, Size, Sized
from graph_flow.prompting.text import Sentence
from graph_flow.prompting.whole import WholeAnswer, WholeLine, usable

OPTIONS = 3


class OptionsAnswer(WholeAnswer):
    """What could happen next, in a sentence or two each."""

    options: Annotated[tuple[WholeLine, ...], usable(OPTIONS, least=1)]


WHOLE_SCHEMA = AnswerSchema(OptionsAnswer)


class PartAnswer(BaseModel):
    """The same from a small model, in a sentence each."""

    options: Annotated[list[Sentence], Sized("options")]


PART_SCHEMA = AnswerSchema(PartAnswer, sizes={"options": Size(2, OPTIONS)})


def widened(part: BaseModel) -> OptionsAnswer:
    """Return a small model's options as a whole answer."""
    return OptionsAnswer.model_validate(part.model_dump())
