"""Recipes with which a data set trains a model: for TRL, and the same for Axolotl and LLaMA-Factory.

The numbers of the fine-tuning are StoryWriter's (arXiv 2506.16445): all parameters, 32k tokens, packed,
learning rate 1e-5, 4 epochs. Those of the preference training are TRL's usual ones; the paper has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from graph_flow.command_line.datasets.writing import Format, file_name

MODEL = "Qwen/Qwen3-8B"
"""The model that the recipes name until the writer puts their own in its place."""
WINDOW = 32_768
RATE = 1e-5
EPOCHS = 4
PREFERENCE_RATE = 5e-7
BETA = 0.1
_ACCUMULATED = 16

_LOADERS: Mapping[Format, str] = {
    Format.JSONL: "json",
    Format.SHAREGPT: "json",
    Format.PARQUET: "parquet",
}


def recipes(form: Format, *, has_examples: bool, has_pairs: bool) -> Iterator[tuple[str, str]]:
    """Yield the recipes for a data set, as names of files and their content.

    TRL reads prompts and completions, LLaMA-Factory ShareGPT, and Axolotl both.
    """
    made: list[tuple[str, dict[str, Any], bool]] = []
    if form is Format.SHAREGPT:
        made.append(("llama-factory-sft.yaml", _llama_factory("sft"), has_examples))
        made.append(("llama-factory-dpo.yaml", _llama_factory("dpo"), has_pairs))
    else:
        made.append(("trl-sft.yaml", _trl_sft(form), has_examples))
        made.append(("trl-dpo.yaml", _trl_dpo(form), has_pairs))
    made.append(("axolotl-sft.yaml", _axolotl(form), has_examples))
    for name, content, is_wanted in made:
        if is_wanted:
            yield name, _HEADS[name.partition("-sft")[0].partition("-dpo")[0]] + _as_yaml(content)


_HEADS: Mapping[str, str] = {
    "trl": "# Run it in the folder of the data set: trl sft --config trl-sft.yaml (or trl dpo).\n",
    "axolotl": "# Run it in the folder of the data set: axolotl train axolotl-sft.yaml\n",
    "llama-factory": "# Run it in the folder of the data set: llamafactory-cli train FILE\n",
}


def _as_yaml(content: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(content), sort_keys=False, allow_unicode=True)


def _files(form: Format, kind: str) -> list[dict[str, Any]]:
    return [{"path": _LOADERS[form], "data_files": {"train": file_name(form, kind, "train")}}]


_USUAL: Mapping[str, Any] = {
    "bf16": True,
    "gradient_checkpointing": True,
    "logging_steps": 1,
    "save_strategy": "epoch",
}


def _trl_sft(form: Format) -> dict[str, Any]:
    return {
        "model_name_or_path": MODEL,
        "datasets": _files(form, "sft"),
        "output_dir": "trained-sft",
        "max_length": WINDOW,
        "packing": True,
        "learning_rate": RATE,
        "num_train_epochs": EPOCHS,
        "lr_scheduler_type": "cosine",
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": _ACCUMULATED,
        **_USUAL,
    }


def _trl_dpo(form: Format) -> dict[str, Any]:
    return {
        "model_name_or_path": "trained-sft",
        "datasets": _files(form, "preference"),
        "output_dir": "trained-dpo",
        "max_length": WINDOW,
        "learning_rate": PREFERENCE_RATE,
        "beta": BETA,
        "num_train_epochs": 1,
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": _ACCUMULATED,
        **_USUAL,
    }


def _axolotl(form: Format) -> dict[str, Any]:
    if form is Format.SHAREGPT:
        read: dict[str, Any] = {
            "type": "chat_template",
            "field_messages": "conversations",
            "message_property_mappings": {"role": "from", "content": "value"},
        }
    else:
        read = {"type": {"field_instruction": "prompt", "field_output": "completion"}}
        read["type"] |= {"format": "{instruction}", "no_input_format": "{instruction}"}
    return {
        "base_model": MODEL,
        "datasets": [
            {
                "path": file_name(form, "sft", "train"),
                "ds_type": _LOADERS[form],
                **read,
            }
        ],
        "train_on_inputs": False,
        "output_dir": "trained-sft",
        "sequence_len": WINDOW,
        "sample_packing": True,
        "learning_rate": RATE,
        "num_epochs": EPOCHS,
        "lr_scheduler": "cosine",
        "optimizer": "adamw_torch",
        "micro_batch_size": 1,
        "gradient_accumulation_steps": _ACCUMULATED,
        "bf16": True,
        "gradient_checkpointing": True,
    }


def _llama_factory(stage: str) -> dict[str, Any]:
    is_dpo = stage == "dpo"
    changed: dict[str, Any] = (
        {"pref_beta": BETA, "pref_loss": "sigmoid", "learning_rate": PREFERENCE_RATE}
        if is_dpo
        else {"packing": True, "learning_rate": RATE}
    )
    return {
        "model_name_or_path": "trained-sft" if is_dpo else MODEL,
        "stage": stage,
        "do_train": True,
        "finetuning_type": "full",
        "dataset_dir": ".",
        "dataset": "tellwright_preference_train" if is_dpo else "tellwright_sft_train",
        "template": "qwen3",
        "cutoff_len": WINDOW,
        "output_dir": f"trained-{stage}",
        "num_train_epochs": 1 if is_dpo else EPOCHS,
        "lr_scheduler_type": "cosine",
        "per_device_train_batch_size": 1,
        "gradient_accumulation_steps": _ACCUMULATED,
        "bf16": True,
        **changed,
    }
