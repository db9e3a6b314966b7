"""The library: stories begun, found, put away, taken in and out as files; the model in use, and its costs."""

from __future__ import annotations

from graph_flow.agents import AGENTS
from graph_flow.founding.premise import characters_that_fit, founding_window
from graph_flow.llm.request import ConnectionReport
from graph_flow.llm.transport.endpoints import EMBEDDED_URL
from graph_flow.views import Desk, ModelChip, ModelUse
from graph_flow.workbench import reading
from graph_flow.workbench.service import Door
from store.formats.bundle import export_bundle, import_bundle
from store.formats.data import DataForm, export_data
from store.formats.extract import extract_of
from store.formats.markdown import export_markdown
from store.models.endpoint import Endpoint, ModelSettings
from store.models.run import LineSpending, Spending, Totals
from store.models.story import Branch, Brief, Story, StoryCard, StorySettings


class LibraryDoor(Door):
    """Stories as a whole."""

    def stories(self) -> list[StoryCard]:
        """Return the stories of the library, the last touched first."""
        return self._store.library.stories()

    def story(self, story_id: str) -> Story:
        """Return a story, a deleted one too.

        Raises:
            NotFound: if the library has none with this id.
        """
        return self._store.library.story(story_id)

    def create_story(self, brief: Brief | None = None) -> Story:
        """Begin a story with what the writer has typed so far, if anything."""
        return self._store.library.create_story(brief or Brief())

    def save_brief(self, story_id: str, brief: Brief) -> Story:
        """Keep the premise as typed."""
        return self._store.library.update_brief(story_id, brief)

    def rename_story(self, story_id: str, title: str) -> Story:
        """Give a story another title."""
        return self._store.library.rename(story_id, title)

    def save_story_settings(self, story_id: str, settings: StorySettings) -> Story:
        """Keep how the story is made; a run under way follows from its next step on."""
        return self._store.library.update_settings(story_id, settings)

    def delete_story(self, story_id: str) -> None:
        """Take a story out of the library; it can be restored."""
        self._store.library.delete(story_id)

    def restore_story(self, story_id: str) -> None:
        """Bring a deleted story back."""
        self._store.library.restore(story_id)

    def main_branch(self, story_id: str) -> Branch:
        """Return the branch that a story began with."""
        return self._store.library.main_branch(story_id)

    def desk(self, branch_id: str) -> Desk:
        """Return where a branch stands."""
        return reading.desk_of(self._store, branch_id)

    def export_markdown(self, branch_id: str) -> str:
        """Return the written chapters as Markdown with front matter."""
        return export_markdown(self._store, branch_id)

    def export_bundle(self, story_id: str) -> str:
        """Return the whole story as a JSON bundle."""
        return export_bundle(self._store, story_id)

    def export_data(self, branch_id: str, form: DataForm, chapter: int | None = None) -> bytes:
        """Return a branch as of a chapter (None: as it is now) as data for other programs."""
        return export_data(extract_of(self._store, branch_id, chapter), form)

    def import_bundle(self, text: str) -> Story:
        """Take a bundle in as a new story.

        Raises:
            BundleInvalid: if it is damaged or hostile; the library is unchanged then.
        """
        return import_bundle(self._store, text)


class LedgerDoor(Door):
    """What a story costs."""

    def spending(self, branch_id: str) -> LineSpending:
        """Return what led to a branch as it stands took, by agent and by chapter."""
        return self._store.ledger.of_line(branch_id)

    def story_spending(self, story_id: str) -> Spending:
        """Return what a story took on all of its branches."""
        return self._store.ledger.of_story(story_id)


MODEL_SETTINGS = "model"
"""The key under which the library keeps `ModelSettings`."""


class ModelDoor(Door):
    """The model in use."""

    def model_settings(self) -> ModelSettings:
        """Return which model the app is told to use."""
        stored = self._store.library.read_setting(MODEL_SETTINGS, ModelSettings)
        return stored or ModelSettings()

    def save_model_settings(self, settings: ModelSettings) -> None:
        """Use another model from the next call on."""
        self._store.library.write_setting(MODEL_SETTINGS, settings)

    def model_chip(self) -> ModelChip:
        """Return which models are in use, in a few words."""
        first, *more = self.model_uses()
        others = f" and {'one' if len(more) == 1 else len(more)} more" if more else ""
        is_embedded = self._book.current().base_url == EMBEDDED_URL
        return ModelChip(label=f"{first.label}{others}", is_embedded=is_embedded)

    def model_uses(self) -> list[ModelUse]:
        """Return the models that agents ask, the usual one first where any asks it."""
        usual, named = self._book.current(), self.model_settings().others
        agents: dict[Endpoint, list[str]] = {usual: []}
        for agent, endpoint in self._book.current_of(AGENTS).items():
            agents.setdefault(endpoint, []).append(agent)
        return [
            ModelUse(
                label=endpoint.name if endpoint in named else _label(endpoint),
                agents=tuple(asking),
                is_usual=endpoint == usual,
            )
            for endpoint, asking in agents.items()
            if asking
        ]

    def embedded_label(self) -> str:
        """Return what the embedded model is called, whoever asks it."""
        return _label(self._book.embedded())

    def test_connection(self, endpoint: Endpoint | None = None) -> ConnectionReport:
        """Ask a model for a word and for an object, and report how that went."""
        return self._gateway.test_connection(endpoint or self._book.current())

    def totals(self, branch_id: str) -> Totals:
        """Return what a branch has used so far."""
        return self._store.runs.totals(branch=branch_id)

    def premise_limit(self, premise: str) -> int:
        """Return how many characters of a premise, from its beginning, the present models can read."""
        return characters_that_fit(premise, founding_window(self._book.current))


def _label(endpoint: Endpoint) -> str:
    return endpoint.name if endpoint.base_url == EMBEDDED_URL else endpoint.model
