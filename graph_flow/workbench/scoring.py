"""The scoring rules of a story: edit, export and import them, and compare them with choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graph_flow.scoring import rules as scoring_rules
from graph_flow.scoring.preferences import PastChoices, past_choices
from graph_flow.scoring.rules import Rules
from store.models.scoring import ScoringRule
from store.models.story import StorySettings
from store.records.choices import Choices
from store.records.library import Library


class ScoringService:
    """The rules by which candidates are scored. Existing scores stay as they are."""

    def __init__(self, library: Library, choices: Choices) -> None:
        self._library = library
        self._choices = choices

    def rules(self, story_id: str) -> Rules:
        """Return a story's rules, the general ones first."""
        return self._library.story(story_id).settings.rules

    def save_rules(self, story_id: str, rules: Rules) -> Rules:
        """Replace a story's rules.

        Raises:
            ValidationError: if there are too many, or two with one key.
        """
        return self._change(story_id, lambda _: rules)

    def change_rule(
        self, story_id: str, key: str, change: Callable[[ScoringRule], ScoringRule]
    ) -> Rules:
        """Change one rule as it is kept now; one that is no longer there changes nothing.

        Raises:
            RulesRefused: if another rule has its new name.
        """

        def changed(rules: Rules) -> Rules:
            before = next((rule for rule in rules if rule.key == key), None)
            return rules if before is None else scoring_rules.with_changed(rules, change(before))

        return self._change(story_id, changed)

    def add_rule(self, story_id: str, name: str) -> Rules:
        """Add a rule of the writer's own.

        Raises:
            RulesRefused: if there are too many rules, or another rule has this name.
            ValidationError: if the name is empty or too long.
        """
        return self._change(story_id, lambda rules: scoring_rules.with_rule(rules, name))

    def remove_rule(self, story_id: str, key: str) -> Rules:
        """Remove one of the writer's own rules; general rules can only be switched off."""
        return self._change(story_id, lambda rules: scoring_rules.without_rule(rules, key))

    def restore_rules(self, story_id: str) -> Rules:
        """Reset the general rules; the writer's own stay.

        Raises:
            RulesRefused: if that makes too many.
        """
        return self._change(story_id, scoring_rules.restored)

    def weigh_rules(self, story_id: str, weights: Mapping[str, float]) -> Rules:
        """Set the weights of rules, by their keys; other rules keep theirs.

        Raises:
            ValidationError: if a weight is not valid.
        """

        def weighed(rule: ScoringRule) -> ScoringRule:
            weight = weights.get(rule.key, rule.weight)
            return ScoringRule.model_validate({**dict(rule), "weight": weight})

        return self._change(story_id, lambda rules: tuple(weighed(rule) for rule in rules))

    def export_rules(self, story_id: str) -> str:
        """Return a story's rules as the text of a JSON file."""
        return scoring_rules.rules_file(self.rules(story_id))

    def import_rules(self, story_id: str, content: bytes) -> Rules:
        """Replace a story's rules with those in a file.

        Raises:
            RulesRefused: if the file has no usable rules; nothing is changed in that case.
        """
        return self.save_rules(story_id, scoring_rules.rules_from(content))

    def past_choices(self, story_id: str) -> PastChoices:
        """Return how the writer's choices compare with the scores, and weights that fit better."""
        return past_choices(self._choices.of(story_id), self.rules(story_id))

    def _change(self, story_id: str, change: Callable[[Rules], Rules]) -> Rules:
        def changed(settings: StorySettings) -> StorySettings:
            return StorySettings.model_validate({**dict(settings), "rules": change(settings.rules)})

        return self._library.change_settings(story_id, changed).settings.rules
