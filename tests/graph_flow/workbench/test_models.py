"""A key that is given for the name of a model is neither kept nor used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph_flow.errors import WorkbenchError
from graph_flow.llm.transport.key_guard import HIDDEN
from graph_flow.llm.transport.offer import OwnModels
from graph_flow.workbench.assembly import Terms, assemble
from graph_flow.workbench.models import MODEL_SETTINGS
from graph_flow.workbench.workbench import Workbench
from store.models.endpoint import Endpoint, ModelSettings
from store.open import Store

KEY = "sk-proj-4f9Kd02mXz71LqPw8RtY"
WITH_KEY = ModelSettings(endpoint=Endpoint(base_url="http://127.0.0.1:9/v1", model=KEY))


def bytes_of(library: Path) -> bytes:
    return b"".join(file.read_bytes() for file in library.parent.glob(f"{library.name}*"))


def test_key_is_not_saved_whoever_saves_it(
    open_workbench: Callable[[], Workbench], library_path: Path
) -> None:
    models = open_workbench().models

    with pytest.raises(WorkbenchError) as refused:
        models.change_settings(lambda _: WITH_KEY)

    assert KEY not in str(refused.value)
    assert models.settings() == ModelSettings()
    assert KEY.encode() not in bytes_of(library_path)


def test_key_that_an_earlier_version_saved_is_gone_when_the_library_has_opened(
    library_path: Path,
) -> None:
    earlier = Store.open(library_path)
    earlier.library.change_setting(MODEL_SETTINGS, ModelSettings(), lambda _: WITH_KEY)
    earlier.close()

    workbench = assemble(library_path, Terms(OwnModels(lambda _name: None)))
    kept, chip = workbench.models.settings(), workbench.models.chip()
    workbench.close()

    assert kept.endpoint is not None
    assert (kept.endpoint.model, chip.label) == (HIDDEN, HIDDEN)
    later = Store.open(library_path)
    stored = later.library.read_setting(MODEL_SETTINGS, ModelSettings)
    later.close()
    assert stored == kept


def test_connection_is_not_tested_with_a_key_for_a_name(
    open_workbench: Callable[[], Workbench],
) -> None:
    report = open_workbench().models.test_connection(WITH_KEY.endpoint)

    assert not report.ok
    assert KEY not in report.message
    assert "It was not sent anywhere" in report.message
