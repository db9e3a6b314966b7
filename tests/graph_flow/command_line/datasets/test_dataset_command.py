"""`tellwright dataset`: what is in it, in every format, and what is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import frontmatter
import pytest
import yaml
from pyarrow import parquet

from graph_flow.command_line.datasets.command import run
from graph_flow.command_line.experiments.records import StoryScores
from graph_flow.command_line.experiments.shared.files import SCRATCH
from graph_flow.command_line.experiments.shared.results import Results
from graph_flow.command_line.experiments.working import work_on
from store.models.story import Story
from store.open import Store
from tests.desk import PREMISE, Desk
from tests.fakes.scripted_server import ScriptedServer
from tests.graph_flow.command_line.experiments.laboratory import begun

TYPED = (
    "Mara held the letter over the lamp until its edges browned, and did not let it burn after all."
)


class Ended(NamedTuple):
    """How a command came out, and where its files are."""

    code: int
    report: dict[str, Any]
    said: str
    folder: Path

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the lines of a file."""
        return [json.loads(line) for line in (self.folder / name).read_text("utf-8").splitlines()]


Command = Callable[..., Ended]


@pytest.fixture
def command(library_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    def ended(*arguments: str) -> Ended:
        folder = tmp_path / "data"
        code = run(["dataset", *arguments, "--out", str(folder), "--json"], library_path)
        printed = capsys.readouterr()
        lines = printed.out.splitlines()
        return Ended(code, json.loads(lines[-1]) if lines else {}, printed.err, folder)

    return ended


@pytest.fixture
def story(desk: Desk, store: Store) -> Story:
    """A story with a written chapter of which the writer has rewritten the first paragraph."""
    story = desk.written()
    branch = desk.branch(story)
    draft = store.manuscript.require(branch, 1)
    _, *rest = draft.text.split("\n\n")
    desk.workbench.manuscript.save_text(branch, 1, "\n\n".join([TYPED, *rest]))
    return desk.workbench.library.story(story.id)


def test_story_becomes_examples_and_pairs_each_with_where_it_comes_from(
    command: Command, story: Story, desk: Desk, store: Store
) -> None:
    other = desk.workbench.library.create_story()
    code, report, _, _ = ended = command(story.id)

    assert code == 0
    assert report["examples"] == len(ended.rows("sft-train.jsonl"))
    examples = ended.rows("sft-train.jsonl")
    origins = ended.rows("provenance-sft-train.jsonl")
    kinds = Counter(one["kind"] for one in origins)
    assert kinds["chapter"] == 1
    assert kinds["call"] > 5
    assert {one["story"] for one in origins} == {story.id}
    assert other.id not in (ended.folder / "README.md").read_text("utf-8")
    text = store.manuscript.require(desk.branch(story), 1)
    chapter = next(
        one for one, origin in zip(examples, origins, strict=True) if origin["kind"] == "chapter"
    )
    assert chapter["completion"] == text.text
    assert PREMISE in chapter["prompt"]
    assert origins[0]["text_fingerprint"] == text.fingerprint
    commit = store.prototype.chapters(desk.branch(story))[1]
    assert {one["chapter_hash"] for one in origins} == {commit.hash}
    assert all(one["prompt_hash"] and one["model"] == "scripted" for one in origins[1:])


def test_pairs_are_the_choice_of_a_plot_and_what_the_writer_changed(
    command: Command, story: Story
) -> None:
    ended = command(story.id)

    pairs = ended.rows("preference-train.jsonl")
    origins = ended.rows("provenance-preference-train.jsonl")
    by_kind = {origin["kind"]: pair for pair, origin in zip(pairs, origins, strict=True)}
    assert by_kind["edit"]["chosen"].startswith(TYPED)
    assert TYPED not in by_kind["edit"]["rejected"]
    assert "Begin the chapter." in by_kind["edit"]["prompt"]
    assert by_kind["candidates"]["chosen"] != by_kind["candidates"]["rejected"]
    assert ended.report["pairs"] == len(pairs)


def test_sharegpt_comes_with_what_llama_factory_reads(command: Command, story: Story) -> None:
    ended = command(story.id, "--format", "sharegpt")

    examples = json.loads((ended.folder / "sft-train.json").read_text("utf-8"))
    assert [turn["from"] for turn in examples[0]["conversations"]] == ["human", "gpt"]
    pairs = json.loads((ended.folder / "preference-train.json").read_text("utf-8"))
    assert pairs[0]["chosen"]["from"] == pairs[0]["rejected"]["from"] == "gpt"
    info = json.loads((ended.folder / "dataset_info.json").read_text("utf-8"))
    recipe = yaml.safe_load((ended.folder / "llama-factory-sft.yaml").read_text("utf-8"))
    assert (ended.folder / info[recipe["dataset"]]["file_name"]).is_file()
    assert info["tellwright_preference_train"]["ranking"] is True


def test_parquet_has_the_rows_with_their_origin(command: Command, story: Story) -> None:
    ended = command(story.id, "--format", "parquet", "--kinds", "chapter", "candidates")

    table = parquet.read_table(ended.folder / "sft-train.parquet")
    assert table.num_rows == ended.report["examples"] == 1
    assert {"prompt", "completion", "kind", "story", "chapter_hash"} <= set(table.column_names)
    pairs = parquet.read_table(ended.folder / "preference-train.parquet").to_pylist()
    assert all(one["chosen_score"] >= 1 for one in pairs)


def test_card_says_what_is_in_it_and_leaves_the_licence_to_the_writer(
    command: Command, story: Story
) -> None:
    ended = command(story.id)

    card = frontmatter.loads((ended.folder / "README.md").read_text("utf-8"))
    configs: Any = card["configs"]
    assert card["license"] == "unknown"
    for config in configs:
        for file in config["data_files"]:
            assert (ended.folder / file["path"]).is_file()
    assert story.title in card.content
    assert "scripted" in card.content


def test_recipes_have_the_published_numbers_and_name_files_that_are_there(
    command: Command, story: Story
) -> None:
    ended = command(story.id)

    sft = yaml.safe_load((ended.folder / "trl-sft.yaml").read_text("utf-8"))
    published = (sft["learning_rate"], sft["num_train_epochs"], sft["max_length"], sft["packing"])
    assert published == (1e-5, 4, 32_768, True)
    for name in ("trl-sft.yaml", "trl-dpo.yaml"):
        recipe = yaml.safe_load((ended.folder / name).read_text("utf-8"))
        assert (ended.folder / recipe["datasets"][0]["data_files"]["train"]).is_file()
    axolotl = yaml.safe_load((ended.folder / "axolotl-sft.yaml").read_text("utf-8"))
    assert (ended.folder / axolotl["datasets"][0]["path"]).is_file()
    assert axolotl["sequence_len"] == 32_768


def test_prompts_that_are_no_longer_kept_are_said_to_be_missing(
    command: Command, desk: Desk, store: Store
) -> None:
    story = desk.plotted(2)
    store.old_prompts.change_keeping(1)
    store.old_prompts.thin(desk.branch(story))

    ended = command(story.id)

    assert ended.code == 0
    assert "of 1 chapters the prompts and answers are no longer kept" in ended.said
    assert {one["chapter"] for one in ended.rows("provenance-sft-train.jsonl")} == {2}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "No story is called “nowhere”"),
        (["STORY", "--kinds", "call", "--min-words", "90000"], "too short"),
        (["--experiment", "FOLDER"], "There is no experiment"),
    ],
)
def test_what_cannot_be_done_is_said(
    command: Command, story: Story, tmp_path: Path, arguments: list[str], said: str
) -> None:
    place = {"STORY": story.id, "FOLDER": str(tmp_path / "empty")}

    ended = command(*(place.get(one, one) for one in arguments))

    assert ended.code == 2
    assert said in ended.said


def test_folder_that_cannot_be_written_is_told(
    command: Command, story: Story, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file")

    ended = command(story.id)

    assert ended.code == 3
    assert "could not be written" in ended.said


def test_stories_of_an_experiment_are_filtered_by_their_judge_and_split_by_premise(
    command: Command, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SCRATCH, str(tmp_path / "scratch"))
    place = tmp_path / "results"
    begun(place, server.url, seeds=[1, 2], ways=["direct"])
    names = ["lamp.direct.scripted.1", "lamp.direct.scripted.2"]
    for name in names:
        work_on(str(place), name)
    Results.open(str(place)).keep_scores(names[0], StoryScores(s_q=8.0))
    Results.open(str(place)).keep_scores(names[1], StoryScores(s_q=4.0))

    ended = command(
        "--experiment",
        str(place),
        "--min-quality",
        "6",
        "--kinds",
        "chapter",
        "--validation",
        "0.5",
    )

    assert ended.code == 0
    assert (ended.report["examples"], ended.report["validation"]) == (1, 0)
    assert ended.report["left_out"] == {"judged too low": 1}
    assert ended.rows("provenance-sft-train.jsonl")[0]["title"] == names[0]
