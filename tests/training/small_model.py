"""The embedded model for a trainer: written out of its GGUF file, and asked how likely it finds a text.

It runs in an environment of its own, with torch and transformers and without Tellwright:

    python small_model.py export FILE.gguf FOLDER
    python small_model.py likelihood FOLDER [ADAPTER] < TEXT
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


def export(file: Path, folder: Path) -> None:
    """Write the model of a GGUF file as a trainer reads it.

    It comes with the mark of a quantized model, which it is no longer: trainers refuse those.
    """
    where: dict[str, Any] = {"gguf_file": file.name}
    model = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **where)
    model.config.__dict__.pop("quantization_config", None)
    model.hf_quantizer = None
    model.is_quantized = False
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(file.parent, **where).save_pretrained(folder)


def likelihood(folder: Path, adapter: Path | None, text: str) -> float:
    """Return the mean log-likelihood of the tokens of a text."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if adapter is not None:
        from peft import PeftModel

        model = PeftModel.from_pretrained(model, adapter)
    tokens = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    with torch.no_grad():
        return -float(model(**tokens, labels=tokens["input_ids"]).loss)


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    places = [Path(one) for one in paths]
    if command == "export":
        export(places[0], places[1])
    else:
        found = likelihood(places[0], places[1] if len(places) > 1 else None, sys.stdin.read())
        sys.stdout.write(f"{found}\n")
