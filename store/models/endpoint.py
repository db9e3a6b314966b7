"""Where a model is reached, and what is known about it. No key is ever part of an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints, field_validator

from store.models.base import Line, Name, Record

VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=80)]


class Dialect(StrEnum):
    """How far an endpoint enforces a schema; each level falls back on the next."""

    FULL = "full"
    STRICT = "strict"
    JSON_ONLY = "json only"
    NONE = "none"


class ModelStrength(StrEnum):
    """How much a model can be asked for at once.

    An able model gives whole answers: several things at once, as long as they need to be. A small
    one is asked for a part of them, within narrow bounds and with a worked example.
    """

    ABLE = "able"
    SMALL = "small"


class Endpoint(Record):
    """An OpenAI-compatible endpoint.

    `key_variable` is the *name* of the environment variable that holds the key.
    Prices are for a million tokens; `context_window` is in tokens. `timeout` is how many seconds the
    endpoint may be silent; comments and empty chunks keep a call alive for five times as long, counted
    from the last content, and a whole answer may take ten times as long. With a `seed`, an endpoint that
    takes one gives the same answer again, as far as it can.
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # a key may have been typed for a name

    name: Line = "My model"
    base_url: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
    model: Line
    key_variable: VariableName | None = None
    context_window: Annotated[int, Field(ge=512)] = 32_768
    price_in: Annotated[float, Field(ge=0)] = 0.0
    price_out: Annotated[float, Field(ge=0)] = 0.0
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    timeout: Annotated[float, Field(gt=0, le=3_600)] = 120.0
    dialect: Dialect | None = None
    """None: not known yet."""
    strength: ModelStrength = ModelStrength.ABLE
    seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None


EMBEDDED = "embedded"
"""The name of the embedded model, which has no endpoint, among the assignments."""


class ModelSettings(Record):
    """Which models the app uses.

    Every agent uses `endpoint` or, without one, the model that the environment names or, without
    that, the embedded model, unless `agents` assigns it another: the name of one of the `others`, or
    `EMBEDDED`.
    """

    model_config = ConfigDict(hide_input_in_errors=True)

    endpoint: Endpoint | None = None
    is_embedded: bool = False
    """Whether the writer chose the embedded model, whatever the environment names."""
    model_file: Annotated[str, StringConstraints(max_length=1_000)] = ""
    """A GGUF file for the embedded server; empty: the bundled one."""
    file_strength: ModelStrength = ModelStrength.SMALL
    """The strength of the model in that file; the bundled one is always small."""
    others: tuple[Endpoint, ...] = ()
    """Further endpoints; each is known by its name."""
    agents: Mapping[str, Name] = {}
    """What an agent, by its name, uses instead. An unknown name means `endpoint`."""

    @field_validator("others")
    @classmethod
    def _have_names_of_their_own(cls, others: tuple[Endpoint, ...]) -> tuple[Endpoint, ...]:
        names = [one.name.casefold() for one in others]
        if "" in names or EMBEDDED in names:
            raise ValueError(f"a further model needs a name other than “{EMBEDDED}”")
        if len(set(names)) < len(names):
            raise ValueError("two further models have the same name")
        return others

    def other(self, name: str) -> Endpoint | None:
        """Return the further endpoint of this name."""
        return next((one for one in self.others if one.name == name), None)

    def with_agent(self, agent: str, name: str) -> ModelSettings:
        """Return these settings with an agent using another model or, without a name, the app's."""
        kept = {key: value for key, value in self.agents.items() if key != agent}
        return self.model_copy(update={"agents": {**kept, agent: name} if name else kept})

    def with_other(self, endpoint: Endpoint, was: str = "") -> ModelSettings:
        """Return these settings with a further endpoint, in place of the one called `was`.

        Raises:
            ValidationError: if another has its name.
        """
        others = tuple(endpoint if one.name == was else one for one in self.others)
        if self.other(was) is None:
            others = (*self.others, endpoint)
        agents = {key: endpoint.name if name == was else name for key, name in self.agents.items()}
        return ModelSettings.model_validate({**dict(self), "others": others, "agents": agents})

    def without_other(self, name: str) -> ModelSettings:
        """Return these settings without a further endpoint; its agents use the app's again."""
        others = tuple(one for one in self.others if one.name != name)
        agents = {agent: given for agent, given in self.agents.items() if given != name}
        return self.model_copy(update={"others": others, "agents": agents})
