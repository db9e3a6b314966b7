"""The scoring rules of a story: edit, export and import them, and compare them with choices."""

from __future__ import annotations

from collections.abc import Mapping

from graph_flow.scoring import rules as scoring_rules
from graph_flow.scoring.preferences import PastChoices, past_choices
from graph_flow.scoring.rules import Rules
from store.models.scoring import ScoringRule
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
        settings = self._library.story(story_id).settings
        changed = type(settings).model_validate({**dict(settings), "rules": rules})
        return self._library.update_settings(story_id, changed).settings.rules

    def save_rule(self, story_id: str, rule: ScoringRule) -> Rules:
        """Save a rule as the writer edited it.

        Raises:
            RulesRefused: if another rule has its name.
        """
        rules = scoring_rules.with_changed(self.rules(story_id), rule)
        return self.save_rules(story_id, rules)

    def add_rule(self, story_id: str, name: str) -> Rules:
        """Add a rule of the writer's own.

        Raises:
            RulesRefused: if there are too many rules, or another rule has this name.
            ValidationError: if the name is empty or too long.
        """
        rules = scoring_rules.with_rule(self.rules(story_id), name)
        return self.save_rules(story_id, rules)

    def remove_rule(self, story_id: str, key: str) -> Rules:
        """Remove one of the writer's own rules; general rules can only be switched off."""
        rules = scoring_rules.without_rule(self.rules(story_id), key)
        return self.save_rules(story_id, rules)

    def restore_rules(self, story_id: str) -> Rules:
        """Reset the general rules; the writer's own stay.

        Raises:
            RulesRefused: if that makes too many.
        """
        rules = scoring_rules.restored(self.rules(story_id))
        return self.save_rules(story_id, rules)

    def weigh_rules(self, story_id: str, weights: Mapping[str, float]) -> Rules:
        """Set the weights of rules, by their keys; other rules keep theirs.

        Raises:
            ValidationError: if a weight is not valid.
        """
        rules = tuple(
            ScoringRule.model_validate({**dict(rule), "weight": weights.get(rule.key, rule.weight)})
            for rule in self.rules(story_id)
        )
        return self.save_rules(story_id, rules)

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
