"""A data set as files: the formats that trainers read, where each line comes from, and the card."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import frontmatter

from graph_flow.command_line.datasets.examples import Example, Pair
from store.upkeep.files import write_whole


class Format(StrEnum):
    """How the examples are written."""

    JSONL = "prompt-completion"
    SHAREGPT = "sharegpt"
    PARQUET = "parquet"


_SUFFIX: Mapping[Format, str] = {
    Format.JSONL: ".jsonl",
    Format.SHAREGPT: ".json",
    Format.PARQUET: ".parquet",
}


class Split(NamedTuple):
    """A part of a data set: "train" or "validation"."""

    name: str
    examples: Sequence[Example]
    pairs: Sequence[Pair]


class Card(NamedTuple):
    """What the card of a data set says besides its counts."""

    stories: Sequence[str]
    version: str
    left_out: Sequence[str]
    language: str


def write_dataset(folder: Path, form: Format, splits: Sequence[Split], card: Card) -> list[Path]:
    """Write a data set, with its card, into a folder; return the files.

    Raises:
        OSError: if it cannot be written; each file is whole or as it was before.
    """
    folder.mkdir(parents=True, exist_ok=True)
    contents = dict(_files(form, splits))
    contents["README.md"] = _card(form, splits, card).encode()
    if form is Format.SHAREGPT:
        contents["dataset_info.json"] = _dataset_info(contents).encode()
    for name, content in contents.items():
        write_whole(folder / name, content)
    return [folder / name for name in contents]


def file_name(form: Format, kind: str, split: str) -> str:
    """Return the name of a file: of examples ("sft") or pairs ("preference"), and of a split."""
    return f"{kind}-{split}{_SUFFIX[form]}"


def _files(form: Format, splits: Sequence[Split]) -> Iterator[tuple[str, bytes]]:
    for split in splits:
        for kind, rows in (("sft", split.examples), ("preference", split.pairs)):
            if rows:
                yield file_name(form, kind, split.name), _content(form, rows)
                origins = [{"kind": one.kind, **one.provenance.model_dump()} for one in rows]
                yield f"provenance-{kind}-{split.name}.jsonl", _lines(origins)


def _content(form: Format, rows: Sequence[Example] | Sequence[Pair]) -> bytes:
    if form is Format.JSONL:
        return _lines(_plain(one) for one in rows)
    if form is Format.SHAREGPT:
        return _json([_turns(one) for one in rows])
    return _parquet([{**_plain(one), **_origin(one)} for one in rows])


def _plain(row: Example | Pair) -> dict[str, Any]:
    if isinstance(row, Example):
        return {"prompt": f"{row.prompt}\n\n", "completion": row.completion}
    return {"prompt": f"{row.prompt}\n\n", "chosen": row.chosen, "rejected": row.rejected}


def _turns(row: Example | Pair) -> dict[str, Any]:
    asked = {"from": "human", "value": row.prompt}
    if isinstance(row, Example):
        return {"conversations": [asked, {"from": "gpt", "value": row.completion}]}
    return {
        "conversations": [asked],
        "chosen": {"from": "gpt", "value": row.chosen},
        "rejected": {"from": "gpt", "value": row.rejected},
    }


def _origin(row: Example | Pair) -> dict[str, Any]:
    scores = (
        {"quality": row.quality}
        if isinstance(row, Example)
        else {"chosen_score": row.chosen_score, "rejected_score": row.rejected_score}
    )
    return {"kind": row.kind.value, **scores, **row.provenance.model_dump()}


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


def _json(value: object) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, indent=1)}\n".encode()


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    import pyarrow  # takes a while to import, for one format only
    from pyarrow import parquet

    file = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), file)
    return file.getvalue()


def _dataset_info(contents: Mapping[str, bytes]) -> str:
    """Return how LLaMA-Factory is to read the files."""
    info: dict[str, Any] = {}
    for name in contents:
        kind, _, split = name.removesuffix(".json").partition("-")
        if kind == "sft" and name.endswith(".json"):
            columns = {"messages": "conversations"}
            info[f"tellwright_sft_{split}"] = _as_sharegpt(name, columns)
        elif kind == "preference" and name.endswith(".json"):
            columns = {"messages": "conversations", "chosen": "chosen", "rejected": "rejected"}
            info[f"tellwright_preference_{split}"] = {
                "ranking": True,
                **_as_sharegpt(name, columns),
            }
    return json.dumps(info, indent=1) + "\n"


def _as_sharegpt(name: str, columns: Mapping[str, str]) -> dict[str, Any]:
    return {"file_name": name, "formatting": "sharegpt", "columns": dict(columns)}


def _card(form: Format, splits: Sequence[Split], card: Card) -> str:
    """Return the card: front matter as dataset hubs read it, then what is in it, for a person."""
    files = [
        {
            "config_name": kind,
            "data_files": [
                {"split": one.name, "path": file_name(form, kind, one.name)}
                for one in splits
                if (one.examples if kind == "sft" else one.pairs)
            ],
        }
        for kind in ("sft", "preference")
    ]
    about: dict[str, Any] = {
        "license": "unknown",
        "language": [card.language] if card.language else [],
        "task_categories": ["text-generation"],
        "tags": ["fiction", "synthetic", "tellwright"],
        "configs": [one for one in files if one["data_files"]],
    }
    return frontmatter.dumps(frontmatter.Post("\n".join(_about(splits, card)), **about)) + "\n"


def _about(splits: Sequence[Split], card: Card) -> Iterator[str]:
    yield "# Stories made with Tellwright\n"
    yield "The licence is yours to choose: put it in place of `unknown` above before you share this.\n"
    yield f"Made with Tellwright {card.version} from {len(card.stories)} stories, and nothing else:\n"
    yield from (f"- {title}" for title in card.stories)
    yield "\n| split | kind | rows |\n| --- | --- | ---: |"
    for split in splits:
        counts = Counter(one.kind for one in split.examples)
        counts.update(one.kind for one in split.pairs)
        yield from (f"| {split.name} | {kind} | {count:,} |" for kind, count in counts.items())
    models = sorted(
        {one.provenance.model for split in splits for one in split.examples if one.provenance.model}
    )
    yield f"\nModels that wrote it: {', '.join(models) or 'not known any more'}. Their terms may"
    yield "say what their output can be used for.\n"
    yield "Stories of one premise are in one split. Each line of a file has a line in the file of the"
    yield "same name that begins with `provenance`: its story, chapter, model, and the hashes of the"
    yield "prompt, of the chapter in the story's chain, and of the text.\n"
    yield "Left out:\n"
    yield from (f"- {one}" for one in card.left_out or ["nothing"])
