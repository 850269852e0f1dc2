"""The whole glossary as one page: HTML with a search box, or Markdown; one language or several side by side."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thunderref.cli.views import figure_lines, type_line
from thunderref.lookup.record import FIGURES
from thunderref.model.games import FIRST_GAME, GAMES, Game
from thunderref.words.words import Words

_RULE = re.compile(r"\b[RT]\d{1,2}(?:\.\d{1,2}[a-z]?)?\b")


class Column(NamedTuple):
    """An entry in one language: its name, a line of facts, and paragraphs, each with its label."""

    lang: str
    name: str
    facts: str
    texts: list[tuple[str, str]]


class Entry(NamedTuple):
    """A card, rule, term or conflict: section (``card:<set>``, ``rule``, ``term``, ``conflict``), id, languages.

    Rules and terms of another game than the first have sections of their own, ``rule:<game>`` and ``term:<game>``.
    """

    section: str
    id: str
    columns: list[Column]
    also: list[str]
    """Its names in all languages, so that a search finds it by any of them."""


def entries(languages: Sequence[Words]) -> list[Entry]:
    """Everything in the glossary in order: cards by box, rules, terms, conflicts."""
    store = languages[0].store
    names: dict[tuple[str, str], list[str]] = {}
    for kind, table in (("card", "names"), ("term", "term_names")):
        for subject, name in store.query(f"SELECT {kind}, name FROM {table} ORDER BY position"):
            names.setdefault((kind, subject), []).append(name)
    found = []
    for card in store.cards.values():
        record = {figure: getattr(card, figure) for figure in FIGURES}
        rulings = store.query(
            "SELECT c.text_key, c.rules FROM clarification_cards AS k JOIN clarifications AS c"
            " ON c.id = k.clarification WHERE k.card = ? ORDER BY c.position", card.id,
        )  # fmt: skip
        columns = []
        for words in languages:
            facts = [words.say(f"card.kind.{card.kind}")]
            facts += [words.say("card.level", level=card.level)] if card.level else []
            facts += [type_line(words, list(store.all_types.get(card.id, ())))] if card.id in store.all_types else []
            facts += [f"{line.label} {line.text}" for line in figure_lines(words, record)]
            texts = [
                (words.say(f"card.timing.{effect.timing}"), words.text(effect.text_key) or "")
                for effect in store.all_effects.get(card.id, ())
            ]
            texts += [
                (words.say("ask.label.clarify"), _with_rules(words.text(key) or "", json.loads(rules)))
                for key, rules in rulings
            ]
            name = words.card(card.id)
            if not words.card_is_official(card.id):
                name = words.say("card.unofficial-name", name=name)
            columns.append(Column(words.lang, name, " · ".join(facts), texts))
        also = list(dict.fromkeys(names.get(("card", card.reprint_of or card.id), [])))
        found.append(Entry(f"card:{card.set_id}", card.id, columns, also))
    for game in GAMES:
        found += _rules_and_terms(languages, game, names)
    for (conflict,) in store.query("SELECT id FROM conflicts ORDER BY position"):
        columns = [
            Column(words.lang, conflict, "", [("", words.text(f"conflict.{conflict}") or "")]) for words in languages
        ]
        found.append(Entry("conflict", conflict, columns, []))
    return found


def _rules_and_terms(
    languages: Sequence[Words], game: Game, names: dict[tuple[str, str], list[str]]
) -> Iterator[Entry]:
    """The rules and terms of a game."""
    store = languages[0].store
    mark = "" if game == FIRST_GAME else f":{game}"
    for rule, see in store.query("SELECT id, see FROM rules WHERE game = ? ORDER BY position", game):
        columns = [
            Column(words.lang, rule, "", [("", _with_rules(words.text(f"rule.{rule}") or "", json.loads(see)))])
            for words in languages
        ]
        yield Entry(f"rule{mark}", rule, columns, [])
    for (term,) in store.query("SELECT id FROM terms WHERE game = ? ORDER BY position", game):
        cited = [row[0] for row in store.query("SELECT rule FROM term_rules WHERE term = ?", term)]
        columns = [
            Column(words.lang, words.term(term), "", [("", _with_rules(words.text(f"term.{term}") or "", cited))])
            for words in languages
        ]
        yield Entry(f"term{mark}", term, columns, names.get(("term", term), []))


def _with_rules(text: str, rules: Sequence[str]) -> str:
    return f"{text} [{' '.join(rules)}]" if rules else text


def _section(words: Words, section: str) -> str:
    kind, _, part = section.partition(":")
    if kind == "card":
        return words.set_name(part)
    name = words.say(f"export.section.{kind}")
    return f"{words.say(f'game.{part}')}: {name}" if part else name


def markdown_page(languages: Sequence[Words]) -> str:
    """The page in Markdown: sections, entries as headings, one block a language."""
    first = languages[0]
    lines = [f"# {first.say('export.title')}", ""]
    section = ""
    for entry in entries(languages):
        if entry.section != section:
            section = entry.section
            lines += [f"## {_section(first, section)}", ""]
        names = " / ".join(dict.fromkeys(_escaped(column.name) for column in entry.columns))
        lines += [f"### {names}", ""]
        if entry.section.startswith("card"):
            lines += [f"`{entry.id}`", ""]
        for column in entry.columns:
            mark = f"**{column.lang}** " if len(languages) > 1 else ""
            if column.facts:
                lines += [f"{mark}{_escaped(column.facts)}", ""]
            for label, text in column.texts:
                lead = f"*{_escaped(label)}:* " if label else ""
                lines += [f"- {mark if not column.facts else ''}{lead}{_escaped(text)}"]
            lines += [""] if column.texts else []
    return "\n".join(lines).rstrip() + "\n"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]|#])", r"\\\1", text)


def html_page(languages: Sequence[Words]) -> str:
    """The page in HTML: no other file is needed, ids are anchors, rule ids are links, a script filters the entries."""
    first = languages[0]
    found = entries(languages)
    ids = {entry.id for entry in found if entry.section.startswith("rule")}
    body: list[str] = []
    section = ""
    for entry in found:
        if entry.section != section:
            body += ["</section>"] if section else []
            section = entry.section
            body.append(f'<section id="{_anchor(section)}"><h2>{html.escape(_section(first, section))}</h2>')
        body.append(_article(entry, ids))
    sections = list(dict.fromkeys(entry.section for entry in found))
    links = " · ".join(f'<a href="#{_anchor(name)}">{html.escape(_section(first, name))}</a>' for name in sections)
    return _PAGE.format(
        lang=first.lang, title=html.escape(first.say("export.title")), search=html.escape(first.say("export.search")),
        none=html.escape(first.say("export.none")), style=_STYLE, script=_SCRIPT, links=links,
        body="\n".join([*body, "</section>"]), columns=len(languages),
    )  # fmt: skip


def _article(entry: Entry, rules: set[str]) -> str:
    anchor = entry.id if entry.section.startswith("rule") else f"{entry.section.partition(':')[0]}-{entry.id}"
    columns = []
    for column in entry.columns:
        parts = [f"<h3>{html.escape(column.name)}</h3>"]
        if column.facts:
            parts.append(f"<p class=facts>{html.escape(column.facts)}</p>")
        for label, text in column.texts:
            lead = f"<b>{html.escape(label)}:</b> " if label else ""
            parts.append(f"<p>{lead}{_linked(text, rules)}</p>")
        columns.append(f'<div lang="{column.lang}">{"".join(parts)}</div>')
    also = html.escape(" ".join([entry.id, *entry.also]), quote=True)
    return f'<article id="{anchor}" data-also="{also}">{"".join(columns)}</article>'


def _linked(text: str, rules: set[str]) -> str:
    return _RULE.sub(lambda m: f'<a href="#{m[0]}">{m[0]}</a>' if m[0] in rules else m[0], html.escape(text))


def _anchor(section: str) -> str:
    return f"section-{section.replace(':', '-')}"


_STYLE = """
:root { color-scheme: light dark; --ink: #1d1b18; --paper: #fbf9f4; --line: #d9d2c3; --soft: #6b6458; --link: #7a3b12; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ece7dd; --paper: #191714; --line: #3d3830; --soft: #a49b8b; --link: #e2a36f; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 0 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--paper); }
a { color: var(--link); }
header { position: sticky; top: 0; padding: .75rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
h1 { font-size: 1.4rem; margin: 0 0 .4rem; }
h3 { font-size: 1.05rem; margin: 0; }
input { width: 100%; font: inherit; padding: .5rem .7rem; color: inherit; background: transparent;
  border: 1px solid var(--soft); border-radius: .4rem; }
nav { margin-top: .4rem; font-size: .9rem; }
article { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 2rem;
  padding: .8rem 0; border-bottom: 1px solid var(--line); scroll-margin-top: 9rem; }
article p { margin: .2rem 0; }
article:target { outline: 2px solid var(--link); outline-offset: .3rem; }
.facts { color: var(--soft); font-size: .9rem; }
[hidden] { display: none !important; }
"""

_SCRIPT = """
const fold = text => text.toLowerCase().replace(/\\u0142/g, 'l').normalize('NFD').replace(/[\\u0300-\\u036f]/g, '');
const all = [...document.querySelectorAll('article')].map(e => [e, fold(e.textContent + ' ' + e.dataset.also)]);
const box = document.querySelector('input'), none = document.querySelector('#none');
function search() {
  const words = fold(box.value).split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const [e, text] of all) { e.hidden = !words.every(w => text.includes(w)); shown += !e.hidden; }
  for (const s of document.querySelectorAll('section')) s.hidden = !s.querySelector('article:not([hidden])');
  none.hidden = shown > 0;
}
box.addEventListener('input', search);
addEventListener('hashchange', () => {
  box.value = '';
  search();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
});
search();
"""

_PAGE = """<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<header><h1>{title}</h1>
<input type="search" placeholder="{search}" aria-label="{search}" autofocus>
<nav>{links}</nav></header>
<main data-columns="{columns}">
<p id="none" hidden>{none}</p>
{body}
</main>
<script>{script}</script>
</body>
</html>
"""
