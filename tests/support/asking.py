"""What an answer to a question rests on."""

from __future__ import annotations

import json

from thunderref.database.read import open_database
from thunderref.search.ask import Answer


def follows_from(answer: Answer, most: int = 1) -> set[str]:
    """The rules and rulings that its first sentences follow from."""
    sql = "SELECT json(rules), json(rulings) FROM answers WHERE 'answer.' || id = ?"
    rows = [row for each in answer.sentences[:most] for row in open_database().query(sql, each.key)]
    return {one for row in rows for each in row for one in json.loads(each)}
