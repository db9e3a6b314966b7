"""The safety of the library on its page: health, backups, and what is put away."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from pages.serving import services
from tests.pages.desk import Desk, button, expect_whole, words
from tests.pages.told_story import tell_into


def test_library_is_backed_up_and_the_backup_put_back_in_two_clicks(
    desk: Desk, library_path: Path
) -> None:
    story = desk.story(premise="Two sisters keep the lamp.")
    window = desk.window()

    button(window, "Back up now").click().run()
    expect_whole(window)
    [backup] = desk.workbench.backups.all()
    assert backup.path.parent == library_path.parent / "backups"
    desk.workbench.library.rename(story.id, "Changed since")

    button(window, "Restore this backup").click().run()
    assert "is kept beside it" in words(window)
    assert desk.workbench.library.story(story.id).title == "Changed since"

    window.button(key="restore-sure").click().run()
    expect_whole(window)
    restored = services.workbench()
    assert restored.library.story(story.id).title != "Changed since"
    assert len(list(library_path.parent.glob("library set aside *.db"))) == 1
    restored.close()


def test_folder_for_backups_is_chosen_and_one_that_cannot_be_is_said(
    desk: Desk, tmp_path: Path
) -> None:
    desk.story()
    window = desk.window()
    (tmp_path / "a file").write_text("")

    window.text_input(key="backup-folder").set_value(str(tmp_path / "a file" / "folder")).run()
    assert "Backups cannot be kept in" in words(window).replace("\\", "")

    window.text_input(key="backup-folder").set_value(str(tmp_path / "copies")).run()
    button(window, "Back up now").click().run()
    assert len(list((tmp_path / "copies").iterdir())) == 1


def test_damage_is_told_on_the_library_and_when_the_story_opens(
    desk: Desk, library_path: Path
) -> None:
    story = desk.workbench.library.story(tell_into(library_path))
    with closing(sqlite3.connect(library_path)) as file:
        file.execute("UPDATE commits SET title = 'Otherwise' WHERE chapter = 3")
        file.commit()

    opened = desk.window(story=story)
    assert any("not as it was saved" in one.value for one in opened.warning)

    window = desk.window()
    button(window, "Check now").click().run()
    assert not desk.workbench.health.of(story.id).is_sound  # type: ignore[union-attr] # checked now
    assert "tellwright salvage" in words(window)


def test_sound_library_says_so_after_a_check(desk: Desk, library_path: Path) -> None:
    tell_into(library_path)
    window = desk.window()
    assert "Not checked yet" in words(window)

    button(window, "Check now").click().run()

    assert "Everything was intact, checked just now" in words(window)


def test_story_that_is_put_away_is_brought_back(desk: Desk) -> None:
    story = desk.story(premise="Two sisters keep the lamp.")
    desk.story(premise="Another.")
    desk.workbench.library.delete(story.id)
    window = desk.window()

    button(window, "Restore the story").click().run()

    assert desk.workbench.library.story(story.id).deleted is None
    expect_whole(window)
