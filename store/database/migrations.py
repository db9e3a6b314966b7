"""The library's tables, as small numbered migrations: append one, and never change it afterwards.

The columns are written out, and do not follow the models: a library that an old migration made must
stay as it was. Fields that an entity gains later, with a default, need no migration: see
`store.database.model_tables`. An entity table holds versions, and its rows are never updated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import sqlite_utils

from store.database.word_index import Wording, insert_wordings
from store.models.manuscript import text_fingerprint
from store.text import count_words


def m001_stories(database: sqlite_utils.Database) -> None:
    """Stories, their branches, and the hash chain of what was committed."""
    database.executescript(
        """
        CREATE TABLE migrations (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied TEXT NOT NULL
        );
        CREATE TABLE stories (
            id TEXT PRIMARY KEY, title TEXT NOT NULL, brief TEXT NOT NULL, settings TEXT NOT NULL,
            created TEXT NOT NULL, touched TEXT NOT NULL, deleted TEXT
        );
        CREATE TABLE branches (
            id TEXT PRIMARY KEY, story TEXT NOT NULL REFERENCES stories(id), name TEXT NOT NULL,
            parent TEXT REFERENCES branches(id), fork_chapter INTEGER,
            fork_commit INTEGER REFERENCES commits(id)
        );
        CREATE INDEX branches_of_story ON branches (story);
        CREATE TABLE commits (
            id INTEGER PRIMARY KEY AUTOINCREMENT, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL,
            delta TEXT NOT NULL, parent_hash TEXT NOT NULL, hash TEXT NOT NULL,
            created TEXT NOT NULL, UNIQUE (branch, origin)
        );
        CREATE INDEX commits_in_order ON commits (branch, chapter, id);
        CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        """
    )


_VERSIONED = """
    commit_id INTEGER NOT NULL REFERENCES commits(id),
    branch_id TEXT NOT NULL REFERENCES branches(id),
    chapter INTEGER NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL,
    removed INTEGER NOT NULL, invented TEXT NOT NULL
"""
"""`ordinal` is the position of the change in its Delta."""

_VERSION_KEY = "PRIMARY KEY (branch_id, id, chapter, commit_id)"


def m002_role_graph(database: sqlite_utils.Database) -> None:
    """Characters and relationships. `name_key` finds characters of the same name."""
    database.executescript(
        f"""
        CREATE TABLE characters ({_VERSIONED},
            name TEXT NOT NULL, name_key TEXT NOT NULL, aliases TEXT NOT NULL,
            gender TEXT NOT NULL, age TEXT NOT NULL, occupation TEXT NOT NULL,
            affiliations TEXT NOT NULL, personality TEXT NOT NULL, motivation TEXT NOT NULL,
            health TEXT NOT NULL, status TEXT NOT NULL, secrets TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE INDEX characters_by_name ON characters (branch_id, name_key);
        CREATE TABLE relationships ({_VERSIONED},
            source TEXT NOT NULL, target TEXT NOT NULL, tie TEXT NOT NULL,
            strength INTEGER NOT NULL, is_mutual INTEGER NOT NULL, awareness TEXT NOT NULL,
            reason TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE INDEX relationships_by_source ON relationships (branch_id, source);
        CREATE INDEX relationships_by_target ON relationships (branch_id, target);
        """
    )


def m003_plot_graph(database: sqlite_utils.Database) -> None:
    """The foundation, scenes, events, who is in them and where, links and threads."""
    database.executescript(
        f"""
        CREATE TABLE foundations ({_VERSIONED},
            background TEXT NOT NULL, long_term_goal TEXT NOT NULL, themes TEXT NOT NULL,
            tone TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE TABLE scenes ({_VERSIONED},
            name TEXT NOT NULL, place TEXT NOT NULL, time TEXT NOT NULL,
            atmosphere TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE TABLE events ({_VERSIONED},
            title TEXT NOT NULL, summary TEXT NOT NULL, consequences TEXT NOT NULL,
            position INTEGER NOT NULL, {_VERSION_KEY}
        );
        CREATE TABLE participations ({_VERSIONED},
            character TEXT NOT NULL, event TEXT NOT NULL, part TEXT NOT NULL,
            emotion TEXT NOT NULL, impact TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE INDEX participations_by_character ON participations (branch_id, character);
        CREATE INDEX participations_by_event ON participations (branch_id, event);
        CREATE TABLE occurrences ({_VERSIONED},
            event TEXT NOT NULL, scene TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE INDEX occurrences_by_event ON occurrences (branch_id, event);
        CREATE INDEX occurrences_by_scene ON occurrences (branch_id, scene);
        CREATE TABLE event_links ({_VERSIONED},
            source TEXT NOT NULL, target TEXT NOT NULL, link TEXT NOT NULL, {_VERSION_KEY}
        );
        CREATE INDEX event_links_by_source ON event_links (branch_id, source);
        CREATE INDEX event_links_by_target ON event_links (branch_id, target);
        CREATE TABLE threads ({_VERSIONED},
            title TEXT NOT NULL, description TEXT NOT NULL, state TEXT NOT NULL, {_VERSION_KEY}
        );
        """
    )


NODES: dict[str, tuple[str, ...]] = {
    "foundations": ("background", "long_term_goal", "themes", "tone"),
    "characters": (
        *("name", "aliases", "gender", "age", "occupation", "affiliations", "personality"),
        *("motivation", "health", "status", "secrets"),
    ),
    "scenes": ("name", "place", "time", "atmosphere"),
    "events": ("title", "summary", "consequences", "position"),
    "threads": ("title", "description", "state"),
}
"""Tables of nodes: every column is a triple (id, column, value)."""

EDGES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "relationships": (
        *("source", "tie", "target"),
        ("strength", "is_mutual", "awareness", "reason"),
    ),
    "participations": ("character", "'IN_EVENT'", "event", ("part", "emotion", "impact")),
    "occurrences": ("event", "'OCCURRED_IN'", "scene", ()),
    "event_links": ("source", "link", "target", ()),
}
"""Tables of edges: every row is one triple (subject, predicate, object) with properties."""


def m004_triples(database: sqlite_utils.Database) -> None:
    """One view of every version of everything as triples; `removed` is in the properties."""
    create_triples(database, NODES)


def create_triples(
    database: sqlite_utils.Database,
    nodes: Mapping[str, tuple[str, ...]],
    edges: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = EDGES,
) -> None:
    """Create the view of all node and edge tables as triples."""
    selects = [
        _triple(table, "id", f"'{column}'", column, ()) + (f" WHERE {column} NOT IN ('', '[]')")
        for table, columns in nodes.items()
        for column in columns
    ]
    selects += [
        _triple(table, subject, predicate, target, properties)
        for table, (subject, predicate, target, properties) in edges.items()
    ]
    database.execute(f"CREATE VIEW triples AS {' UNION ALL '.join(selects)}")


def _triple(
    table: str, subject: str, predicate: str, target: str, properties: tuple[str, ...]
) -> str:
    pairs = ", ".join(f"'{name}', {name}" for name in ("id", "removed", *properties))
    return (
        f"SELECT branch_id, chapter, commit_id, {subject} AS subject, {predicate} AS predicate, "
        f"{target} AS object, json_object({pairs}) AS properties FROM {table}"
    )


def m005_proposals(database: sqlite_utils.Database) -> None:
    """Configurations, goals, candidates, scores and verdicts. Agents make one candidate per goal."""
    database.executescript(
        """
        CREATE TABLE configurations (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            round INTEGER NOT NULL, title TEXT NOT NULL, delta TEXT NOT NULL,
            questions TEXT NOT NULL, is_complete INTEGER NOT NULL
        );
        CREATE INDEX configurations_in_order ON configurations (branch, round);
        CREATE TABLE goals (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, round INTEGER NOT NULL, position INTEGER NOT NULL,
            title TEXT NOT NULL, text TEXT NOT NULL, is_dropped INTEGER NOT NULL,
            is_by_writer INTEGER NOT NULL
        );
        CREATE INDEX goals_in_order ON goals (branch, chapter, round, position);
        CREATE TABLE candidates (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, round INTEGER NOT NULL, goal TEXT NOT NULL,
            title TEXT NOT NULL, delta TEXT NOT NULL, turns TEXT NOT NULL, comment TEXT NOT NULL,
            state TEXT NOT NULL, is_by_writer INTEGER NOT NULL
        );
        CREATE INDEX candidates_in_order ON candidates (branch, chapter, round);
        CREATE UNIQUE INDEX one_candidate_a_goal ON candidates (branch, goal)
            WHERE is_by_writer = 0;
        CREATE TABLE scores (
            candidate TEXT NOT NULL REFERENCES candidates(id) ON DELETE CASCADE,
            position INTEGER NOT NULL, rule TEXT NOT NULL, weight REAL NOT NULL,
            value INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (candidate, position)
        );
        CREATE TABLE verdicts (
            branch TEXT NOT NULL REFERENCES branches(id), chapter INTEGER NOT NULL,
            is_reached INTEGER NOT NULL, events TEXT NOT NULL, reason TEXT NOT NULL,
            PRIMARY KEY (branch, chapter)
        );
        """
    )


def m006_manuscript(database: sqlite_utils.Database) -> None:
    """Writing notes, plans, and the versions of each chapter's text. `words` counts the text.

    `plan` is the plan of an agent's draft; a version that the writer typed has none.
    """
    database.executescript(
        """
        CREATE TABLE writing_notes (
            branch TEXT NOT NULL REFERENCES branches(id), chapter INTEGER NOT NULL,
            attempt INTEGER NOT NULL, recall TEXT NOT NULL, threads TEXT NOT NULL,
            PRIMARY KEY (branch, chapter, attempt)
        );
        CREATE TABLE plans (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, attempt INTEGER NOT NULL, form TEXT NOT NULL,
            goal TEXT NOT NULL, structure TEXT NOT NULL, scenes TEXT NOT NULL, recall TEXT NOT NULL,
            threads TEXT NOT NULL, reveal TEXT NOT NULL, words INTEGER NOT NULL,
            UNIQUE (branch, chapter, attempt)
        );
        CREATE TABLE drafts (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, version INTEGER NOT NULL, form TEXT NOT NULL,
            title TEXT NOT NULL, text TEXT NOT NULL, state TEXT NOT NULL, created TEXT NOT NULL,
            words INTEGER NOT NULL, plan TEXT, UNIQUE (branch, chapter, version)
        );
        CREATE UNIQUE INDEX one_draft_a_plan ON drafts (plan) WHERE plan IS NOT NULL;
        """
    )


def m007_runs(database: sqlite_utils.Database) -> None:
    """Runs, decisions, and the ledger of calls. A branch has one run under way at a time.

    The ledger has no foreign keys: a call that was paid for is always recorded.
    """
    database.executescript(
        """
        CREATE TABLE runs (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            thread TEXT NOT NULL, task TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL,
            owner TEXT NOT NULL, started TEXT NOT NULL, heartbeat TEXT NOT NULL, ended TEXT
        );
        CREATE INDEX runs_in_order ON runs (branch, started);
        CREATE INDEX runs_by_thread ON runs (thread);
        CREATE UNIQUE INDEX one_run_at_work ON runs (branch) WHERE state = 'running';
        CREATE TABLE decisions (
            question TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            action TEXT NOT NULL, choice TEXT, note TEXT NOT NULL, created TEXT NOT NULL
        );
        CREATE TABLE calls (
            id TEXT PRIMARY KEY, run TEXT, branch TEXT, step TEXT NOT NULL, agent TEXT NOT NULL,
            endpoint TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,
            prompt_hash TEXT NOT NULL, answer TEXT NOT NULL, tokens_in INTEGER NOT NULL,
            tokens_out INTEGER NOT NULL, milliseconds INTEGER NOT NULL, cost REAL NOT NULL,
            outcome TEXT NOT NULL, problem TEXT NOT NULL, created TEXT NOT NULL
        );
        CREATE INDEX calls_by_step ON calls (branch, step, prompt_hash, outcome, created);
        CREATE INDEX calls_by_run ON calls (run);
        CREATE INDEX calls_in_order ON calls (branch, created);
        """
    )


_VERSIONED_TABLES = (*NODES, *EDGES)


def m008_whole_model(database: sqlite_utils.Database) -> None:
    """Locks, life and traits, story time, the chapters of threads; edits of earlier chapters.

    `told` is the newest chapter after a commit. `open_branch` is the branch that the writer works on.
    """
    for table in _VERSIONED_TABLES:
        database.execute(f"ALTER TABLE {table} ADD COLUMN locked TEXT NOT NULL DEFAULT '[]'")
    database.executescript(
        """
        ALTER TABLE characters ADD COLUMN life TEXT NOT NULL DEFAULT 'living';
        ALTER TABLE characters ADD COLUMN traits TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE events ADD COLUMN story_order REAL;
        ALTER TABLE events ADD COLUMN story_date TEXT NOT NULL DEFAULT '';
        ALTER TABLE threads ADD COLUMN planted_in INTEGER;
        ALTER TABLE threads ADD COLUMN paid_off_in INTEGER;
        ALTER TABLE commits ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
        UPDATE commits SET told = chapter;
        CREATE INDEX commits_by_branch ON commits (branch, id);
        ALTER TABLE stories ADD COLUMN open_branch TEXT REFERENCES branches(id);
        DROP VIEW triples;
        """
    )
    create_triples(
        database,
        {
            **NODES,
            "characters": (*NODES["characters"], "life", "traits"),
            "events": (*NODES["events"], "story_order", "story_date"),
            "threads": (*NODES["threads"], "planted_in", "paid_off_in"),
        },
    )


def m009_search(database: sqlite_utils.Database) -> None:
    """The words of every version, for search and retrieval (see `store.database.word_index`).

    A row number in `words` and `terms` is a number in `wordings`. The bits above the lowest 40 are
    the number of a shelf, which holds one kind of entity of one branch.
    """
    database.executescript(
        """
        CREATE TABLE shelves (
            number INTEGER PRIMARY KEY, branch_id TEXT NOT NULL REFERENCES branches(id),
            kind TEXT NOT NULL, UNIQUE (branch_id, kind)
        );
        CREATE TABLE wordings (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL, chapter INTEGER NOT NULL,
            commit_id INTEGER NOT NULL REFERENCES commits(id)
        );
        CREATE VIRTUAL TABLE words USING fts5(
            text, content = '', columnsize = 0, detail = none,
            tokenize = 'trigram case_sensitive 1'
        );
        CREATE VIRTUAL TABLE letters USING fts5vocab('words', 'instance');
        CREATE VIRTUAL TABLE terms USING fts5(
            text, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
        );
        CREATE TABLE names (
            branch_id TEXT NOT NULL REFERENCES branches(id), kind TEXT NOT NULL,
            term TEXT NOT NULL, id TEXT NOT NULL, commit_id INTEGER NOT NULL,
            PRIMARY KEY (branch_id, kind, term, id)
        ) WITHOUT ROWID;
        """
    )
    for table, columns in _SEARCHED.items():
        rows = database.query(
            f"SELECT * FROM {table} WHERE removed = 0 ORDER BY commit_id, ordinal"
        )
        insert_wordings(database, (_wording(table, columns, row) for row in list(rows)))


def _wording(table: str, columns: tuple[str, ...], row: dict[str, Any]) -> Wording:
    aliases = json.loads(row.get("aliases", "[]"))
    text = "\n".join([*(row[column] for column in columns), *aliases])
    return Wording(
        branch=row["branch_id"],
        kind=table.removesuffix("s"),
        id=row["id"],
        chapter=row["chapter"],
        commit=row["commit_id"],
        text=text,
        speaks_of="" if table == "scenes" else text,
        names=(row["name"], *aliases) if "name" in row else (),
    )


def m010_findings(database: sqlite_utils.Database) -> None:
    """What an edit made stale, findings that the writer intends, and what went into a prompt."""
    database.executescript(
        """
        CREATE TABLE stale_marks (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            commit_id INTEGER NOT NULL REFERENCES commits(id), target_kind TEXT NOT NULL,
            target TEXT NOT NULL, chapter INTEGER NOT NULL, reason TEXT NOT NULL,
            is_settled INTEGER NOT NULL
        );
        CREATE INDEX stale_marks_open ON stale_marks (branch, is_settled, chapter);
        CREATE TABLE intended (
            story TEXT NOT NULL REFERENCES stories(id), finding TEXT NOT NULL,
            reason TEXT NOT NULL, created TEXT NOT NULL, PRIMARY KEY (story, finding)
        );
        ALTER TABLE calls ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
        """
    )


def m011_shared_tellings(database: sqlite_utils.Database) -> None:
    """What was made for a chapter before a branch started is the branch's too.

    `number` counts a story's branches in the order in which they started, the main one being 0;
    `newest_branch` is the number of the newest branch when a row was kept.
    """
    database.execute("ALTER TABLE branches ADD COLUMN number INTEGER NOT NULL DEFAULT 0")
    database.execute(
        """
        UPDATE branches SET number = (
            SELECT count(*) FROM branches AS earlier
            WHERE earlier.story = branches.story AND earlier.rowid < branches.rowid
        )
        """
    )
    for table in ("goals", "candidates", "verdicts", "writing_notes", "plans", "drafts"):
        database.execute(f"ALTER TABLE {table} ADD COLUMN newest_branch INTEGER NOT NULL DEFAULT 0")
    # With this, the chapters that have text are listed without reading the texts.
    database.execute(
        "CREATE INDEX drafts_in_order ON drafts "
        "(branch, chapter, version, newest_branch, state, words)"
    )


def m012_reading_by_index(database: sqlite_utils.Database) -> None:
    """Indexes for reading an agent's part of a story, however long the story is.

    `calls.words` is what the writer was shown for a call: "Mara speaks".
    """
    database.executescript(
        """
        CREATE INDEX characters_in_order ON characters (branch_id, chapter, commit_id, ordinal);
        CREATE INDEX scenes_in_order ON scenes (branch_id, chapter, commit_id, ordinal);
        CREATE INDEX events_in_order ON events (branch_id, chapter, commit_id);
        CREATE INDEX threads_in_order ON threads (branch_id, chapter, commit_id);
        DROP INDEX participations_by_character;
        CREATE INDEX participations_by_character
            ON participations (branch_id, character, chapter, commit_id);
        DROP INDEX relationships_by_source;
        CREATE INDEX relationships_by_source
            ON relationships (branch_id, source, chapter, commit_id);
        CREATE INDEX relationships_by_pair
            ON relationships (branch_id, source, target, chapter, commit_id);
        DROP INDEX relationships_by_target;
        CREATE INDEX relationships_by_target
            ON relationships (branch_id, target, chapter, commit_id);
        ALTER TABLE calls ADD COLUMN words TEXT NOT NULL DEFAULT '';
        """
    )


def m013_small_pages_of_terms(database: sqlite_utils.Database) -> None:
    """Keep the index of whole words in few and small pages.

    To find the newest mentions of a word, SQLite reads a whole page of each part of the index: for
    a word that is everywhere, this grew with the story until the page was full.
    """
    database.executescript(
        """
        INSERT INTO terms (terms, rank) VALUES ('pgsz', 256);
        INSERT INTO terms (terms, rank) VALUES ('automerge', 2);
        INSERT INTO terms (terms) VALUES ('optimize');
        """
    )


def m014_weaving(database: sqlite_utils.Database) -> None:
    """What goals advance and who takes part, scores with scales and evidence, who chose."""
    database.executescript(
        """
        ALTER TABLE goals ADD COLUMN moves TEXT;
        ALTER TABLE goals ADD COLUMN roles TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE goals ADD COLUMN parts TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE goals ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE candidates ADD COLUMN chosen_by TEXT;
        ALTER TABLE candidates ADD COLUMN parts_of TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE candidates ADD COLUMN tells TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE scores ADD COLUMN key TEXT NOT NULL DEFAULT '';
        ALTER TABLE scores ADD COLUMN top INTEGER NOT NULL DEFAULT 5;
        ALTER TABLE scores ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]';
        """
    )


def m016_outlines(database: sqlite_utils.Database) -> None:
    """Outlines, one row per save. `origin` is the agents' step that saved it.

    Which chapter tells which parts of an outline is read from the candidates.
    """
    database.executescript(
        """
        CREATE TABLE outlines (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL,
            branch TEXT NOT NULL REFERENCES branches(id), version INTEGER NOT NULL,
            events TEXT NOT NULL, links TEXT NOT NULL, sub_events TEXT NOT NULL,
            state TEXT NOT NULL, review TEXT NOT NULL, remarks TEXT NOT NULL,
            created TEXT NOT NULL, origin TEXT NOT NULL DEFAULT '',
            newest_branch INTEGER NOT NULL DEFAULT 0, UNIQUE (branch, version)
        );
        CREATE INDEX outlines_in_order
            ON outlines (branch, version, newest_branch, state, id, origin);
        CREATE INDEX candidates_that_tell ON candidates (branch, chapter) WHERE tells <> '[]';
        """
    )


def m015_ledger(database: sqlite_utils.Database) -> None:
    """Indexes that hold everything that is summed up over calls, so no prompt is read for it.

    `runs.portions` is how many times a run was allowed its caps.
    """
    database.executescript(
        """
        DROP INDEX calls_by_run;
        CREATE INDEX calls_by_run ON calls (run, tokens_in, tokens_out, milliseconds, cost);
        CREATE INDEX calls_by_cost ON calls
            (branch, step, agent, outcome, tokens_in, tokens_out, milliseconds, cost);
        ALTER TABLE runs ADD COLUMN is_capped INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE runs ADD COLUMN portions INTEGER NOT NULL DEFAULT 1;
        """
    )


def m017_choices(database: sqlite_utils.Database) -> None:
    """An index of what the writer chose, to find it without reading its Delta."""
    database.executescript(
        "CREATE INDEX candidates_by_writer_s_choice ON candidates (branch, chapter, chosen_by) "
        "WHERE chosen_by = 'writer'"
    )


def m018_no_questions(database: sqlite_utils.Database) -> None:
    """The questions of a proposed cast, which nothing asked any more, are gone."""
    database.execute("ALTER TABLE configurations DROP COLUMN questions")


def m019_spine(database: sqlite_utils.Database) -> None:
    """The spine of a story; its columns follow its model."""
    database.execute(
        f"CREATE TABLE spines ({_VERSIONED}, locked TEXT NOT NULL DEFAULT '[]', {_VERSION_KEY})"
    )


def m020_imports(database: sqlite_utils.Database) -> None:
    """Stories that are not whole yet, because they are being imported, or never will be.

    What is left of one that was swept up are its story, its branches and their shelves, whose
    numbers are not used again.
    """
    database.execute(
        """
        CREATE TABLE imports (
            story TEXT PRIMARY KEY REFERENCES stories(id), owner TEXT NOT NULL,
            heartbeat TEXT NOT NULL, is_swept INTEGER NOT NULL DEFAULT 0
        )
        """
    )


def m021_health(database: sqlite_utils.Database) -> None:
    """A fingerprint beside each version of a text, and when each story was last found sound.

    A text from before is taken to be as it was written. `subject` is a story, or the whole library.
    """
    database.executescript(
        """
        ALTER TABLE drafts ADD COLUMN fingerprint TEXT;
        CREATE TABLE health (
            subject TEXT PRIMARY KEY, checked TEXT NOT NULL, found_sound TEXT,
            problems TEXT NOT NULL
        );
        """
    )
    database.conn.create_function("fingerprint", 5, text_fingerprint, deterministic=True)
    database.execute(
        "UPDATE drafts SET fingerprint = fingerprint(chapter, version, form, title, text)"
    )


def m022_branches_put_away(database: sqlite_utils.Database) -> None:
    """When a branch was put away, as `stories.deleted` says it of a story."""
    database.execute("ALTER TABLE branches ADD COLUMN deleted TEXT")


def m023_packed_prompts(database: sqlite_utils.Database) -> None:
    """Prompts take less space, and of old ones only sums are kept.

    A dictionary holds what prompts share that begin alike. What was kept before is packed and summed
    up later, a little at a time: see `store.records.old_prompts`.
    """
    database.executescript(
        """
        CREATE TABLE dictionaries (
            number INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL,
            beginning INTEGER NOT NULL, content BLOB NOT NULL, checksum INTEGER NOT NULL,
            created TEXT NOT NULL, UNIQUE (agent, beginning)
        );
        CREATE TABLE spent (
            branch TEXT NOT NULL, chapter INTEGER NOT NULL, agent TEXT NOT NULL,
            outcome TEXT NOT NULL, run TEXT NOT NULL, calls INTEGER NOT NULL,
            tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL, cost REAL NOT NULL,
            PRIMARY KEY (branch, chapter, agent, outcome, run)
        ) WITHOUT ROWID;
        """
    )


def m024_writing(database: sqlite_utils.Database) -> None:
    """The paragraphs of each text, with what belongs to them, and how much is written on each day.

    The words of a day are those that a writer has added, less those taken out.
    """
    database.executescript(
        """
        ALTER TABLE drafts ADD COLUMN paragraphs TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE drafts ADD COLUMN is_by_hand INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE writing_days (
            story TEXT NOT NULL, day TEXT NOT NULL, words INTEGER NOT NULL,
            PRIMARY KEY (story, day)
        ) WITHOUT ROWID;
        """
    )


def m025_talk(database: sqlite_utils.Database) -> None:
    """What the writer asked the story and its people, and what they said."""
    database.executescript(
        """
        CREATE TABLE talk_turns (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id), person TEXT,
            chapter INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL DEFAULT '',
            events TEXT NOT NULL DEFAULT '[]', chapters TEXT NOT NULL DEFAULT '[]', change TEXT,
            goal TEXT, is_put_away INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL
        );
        CREATE INDEX talk_in_order ON talk_turns (branch, person, is_put_away, id);
        """
    )


def m026_named_versions(database: sqlite_utils.Database) -> None:
    """What the writer calls a version of a text; the versions of a chapter are listed without its texts."""
    database.executescript(
        """
        ALTER TABLE drafts ADD COLUMN name TEXT;
        DROP INDEX drafts_in_order;
        CREATE INDEX drafts_in_order ON drafts
            (branch, chapter, version, newest_branch, state, words, form, created, name);
        """
    )


def m027_margin_notes(database: sqlite_utils.Database) -> None:
    """What the writer noted beside the paragraphs of texts."""
    database.executescript(
        """
        CREATE TABLE margin_notes (
            id TEXT PRIMARY KEY, key TEXT NOT NULL, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, paragraph TEXT, quote TEXT NOT NULL, beginning TEXT NOT NULL, text TEXT NOT NULL,
            is_done INTEGER NOT NULL DEFAULT 0, is_removed INTEGER NOT NULL DEFAULT 0,
            created TEXT NOT NULL, newest_branch INTEGER NOT NULL DEFAULT 0, UNIQUE (branch, key)
        );
        CREATE INDEX margin_notes_in_order ON margin_notes (branch, chapter, created);
        """
    )


def m028_suggestions(database: sqlite_utils.Database) -> None:
    """What agents have suggested for passages of texts."""
    database.executescript(
        """
        CREATE TABLE suggestions (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, kind TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '',
            before TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL DEFAULT 0,
            wish TEXT NOT NULL DEFAULT '', text TEXT NOT NULL DEFAULT '',
            options TEXT NOT NULL DEFAULT '[]', doubt TEXT NOT NULL DEFAULT '',
            attempt INTEGER NOT NULL DEFAULT 1, state TEXT NOT NULL, created TEXT NOT NULL
        );
        CREATE INDEX suggestions_of_chapter ON suggestions (branch, chapter, state, id);
        """
    )


def m029_comparisons(database: sqlite_utils.Database) -> None:
    """What a text that was changed by hand says of its story."""
    database.executescript(
        """
        CREATE TABLE comparisons (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            chapter INTEGER NOT NULL, text TEXT NOT NULL, passages TEXT NOT NULL DEFAULT '[]',
            is_plot INTEGER NOT NULL DEFAULT 0, lines TEXT NOT NULL DEFAULT '[]',
            kept TEXT NOT NULL DEFAULT '[]', unknown TEXT NOT NULL DEFAULT '[]',
            unsupported INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL, created TEXT NOT NULL,
            newest_branch INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX comparisons_of_chapter ON comparisons (branch, chapter, id);
        """
    )


def m030_contents(database: sqlite_utils.Database) -> None:
    """The order in which the chapters of a book are read, where that is not the plot's."""
    database.executescript(
        """
        CREATE TABLE contents (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id),
            entries TEXT NOT NULL, created TEXT NOT NULL, newest_branch INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX contents_of_branch ON contents (branch, newest_branch, id);
        """
    )


def m031_tellings(database: sqlite_utils.Database) -> None:
    """The story told in other orders and forms, and which events a text has become stale by."""
    database.executescript(
        """
        CREATE TABLE tellings (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id), name TEXT NOT NULL,
            form TEXT NOT NULL, arrangement TEXT NOT NULL, chapters TEXT NOT NULL,
            created TEXT NOT NULL, is_removed INTEGER NOT NULL DEFAULT 0,
            taken_out TEXT NOT NULL DEFAULT '[]', newest_branch INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX tellings_of_branch ON tellings (branch, created);
        ALTER TABLE stale_marks ADD COLUMN events TEXT NOT NULL DEFAULT '[]';
        """
    )


def m032_mysteries(database: sqlite_utils.Database) -> None:
    """The murder mystery that is made of a branch's story."""
    database.executescript(
        """
        CREATE TABLE mysteries (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL REFERENCES branches(id), created TEXT NOT NULL,
            crime TEXT, victim TEXT, culprits TEXT NOT NULL DEFAULT '[]',
            left_out TEXT NOT NULL DEFAULT '[]', rounds INTEGER NOT NULL DEFAULT 3, until INTEGER,
            means TEXT NOT NULL DEFAULT '', motive TEXT NOT NULL DEFAULT '',
            opportunity TEXT NOT NULL DEFAULT '', clues TEXT, former_clues TEXT,
            texts TEXT NOT NULL DEFAULT '{}',
            attempts TEXT NOT NULL DEFAULT '{}', trials TEXT NOT NULL DEFAULT '[]'
        );
        CREATE INDEX mysteries_of_branch ON mysteries (branch, created);
        """
    )


_SEARCHED: dict[str, tuple[str, ...]] = {
    "characters": (
        *("name", "occupation", "affiliations", "personality", "motivation", "health", "status"),
        "secrets",
    ),
    "relationships": ("reason",),
    "scenes": ("name", "place", "time", "atmosphere"),
    "events": ("title", "summary", "consequences"),
    "threads": ("title", "description"),
    "participations": ("emotion", "impact"),
}
"""The columns that were searched when search was introduced."""


def m033_length_in_characters(database: sqlite_utils.Database) -> None:
    """Texts in scripts without spaces between words are as long as they have characters."""
    counted = [
        {"id": row["id"], "words": count_words(row["text"])}
        for row in database.query(
            "SELECT id, text FROM drafts WHERE text GLOB '*[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u9fff]*'"
        )
    ]
    database.conn.executemany("UPDATE drafts SET words = :words WHERE id = :id", counted)


def m034_evaluations(database: sqlite_utils.Database) -> None:
    """How good texts are: what judges and readers said of them, with the texts as they were then.

    A text that is in no story has a branch of its own name, so a branch is no reference here.
    """
    database.executescript(
        """
        CREATE TABLE evaluations (
            id TEXT PRIMARY KEY, branch TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL,
            chapters INTEGER NOT NULL, planned INTEGER NOT NULL, words INTEGER NOT NULL,
            theme TEXT NOT NULL DEFAULT '', judge TEXT NOT NULL, settings TEXT NOT NULL,
            state TEXT NOT NULL, created TEXT NOT NULL
        );
        CREATE INDEX evaluations_of_branch ON evaluations (branch, text, id);
        CREATE TABLE evaluated_texts (text TEXT PRIMARY KEY, prose BLOB NOT NULL);
        CREATE TABLE evaluation_contents (
            evaluation TEXT NOT NULL REFERENCES evaluations(id), place INTEGER NOT NULL,
            title TEXT NOT NULL, text TEXT NOT NULL REFERENCES evaluated_texts(text),
            PRIMARY KEY (evaluation, place)
        ) WITHOUT ROWID;
        CREATE TABLE evaluated_chapters (
            id TEXT PRIMARY KEY, evaluation TEXT NOT NULL REFERENCES evaluations(id),
            place INTEGER NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, words INTEGER NOT NULL,
            features TEXT NOT NULL, scores TEXT NOT NULL, highlights TEXT NOT NULL DEFAULT '[]',
            held TEXT NOT NULL DEFAULT '[]', unfound INTEGER NOT NULL DEFAULT 0,
            addressed TEXT NOT NULL DEFAULT '[]', created TEXT NOT NULL, UNIQUE (evaluation, place)
        );
        CREATE TABLE evaluated_intervals (
            id TEXT PRIMARY KEY, evaluation TEXT NOT NULL REFERENCES evaluations(id),
            place INTEGER NOT NULL, scores TEXT NOT NULL, info TEXT NOT NULL, created TEXT NOT NULL,
            UNIQUE (evaluation, place)
        );
        CREATE TABLE reader_scores (
            id TEXT PRIMARY KEY, evaluation TEXT NOT NULL REFERENCES evaluations(id),
            reader TEXT NOT NULL, place INTEGER NOT NULL DEFAULT 0, scores TEXT NOT NULL,
            created TEXT NOT NULL, UNIQUE (evaluation, reader, place)
        );
        """
    )


def m035_judge_cards(database: sqlite_utils.Database) -> None:
    """How judges do on texts of which the answer is known."""
    database.executescript(
        """
        CREATE TABLE judge_cards (
            id TEXT PRIMARY KEY, judge TEXT NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL,
            tests TEXT NOT NULL, spoiled TEXT NOT NULL DEFAULT '[]', created TEXT NOT NULL
        );
        CREATE INDEX judge_cards_of_judge ON judge_cards (key, version, id);
        """
    )


def m036_pair_trials(database: sqlite_utils.Database) -> None:
    """Texts against each other, passage by passage."""
    database.executescript(
        """
        CREATE TABLE pair_trials (
            id TEXT PRIMARY KEY, first TEXT NOT NULL, second TEXT NOT NULL, at INTEGER NOT NULL,
            of INTEGER NOT NULL, judge TEXT NOT NULL, margin REAL NOT NULL,
            is_consistent INTEGER NOT NULL, reason TEXT NOT NULL DEFAULT '', created TEXT NOT NULL
        );
        CREATE INDEX pair_trials_of_texts ON pair_trials (first, second, of, judge, at);
        """
    )


def m037_consistency(database: sqlite_utils.Database) -> None:
    """Where texts contradict themselves, as judges of consistency found it, chapter by chapter."""
    database.executescript(
        """
        CREATE TABLE checked_chapters (
            id TEXT PRIMARY KEY, evaluation TEXT NOT NULL REFERENCES evaluations(id),
            judge TEXT NOT NULL, key TEXT NOT NULL, place INTEGER NOT NULL, words INTEGER NOT NULL,
            facts TEXT NOT NULL DEFAULT '[]', found TEXT NOT NULL DEFAULT '[]',
            unread INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL, UNIQUE (evaluation, key, place)
        );
        """
    )


MIGRATIONS: tuple[Callable[[sqlite_utils.Database], None], ...] = (
    m001_stories,
    m002_role_graph,
    m003_plot_graph,
    m004_triples,
    m005_proposals,
    m006_manuscript,
    m007_runs,
    m008_whole_model,
    m009_search,
    m010_findings,
    m011_shared_tellings,
    m012_reading_by_index,
    m013_small_pages_of_terms,
    m014_weaving,
    m015_ledger,
    m016_outlines,
    m017_choices,
    m018_no_questions,
    m019_spine,
    m020_imports,
    m021_health,
    m022_branches_put_away,
    m023_packed_prompts,
    m024_writing,
    m025_talk,
    m026_named_versions,
    m027_margin_notes,
    m028_suggestions,
    m029_comparisons,
    m030_contents,
    m031_tellings,
    m032_mysteries,
    m033_length_in_characters,
    m034_evaluations,
    m035_judge_cards,
    m036_pair_trials,
    m037_consistency,
)
