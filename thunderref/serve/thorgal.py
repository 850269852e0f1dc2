"""The pages of Thorgal: the game under way, the card of an enemy to tap, a fight. Only a step that is sent is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import NamedTuple

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException

from thunderref.database.read import Language
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.pages.thorgal_page import characters_block, fight_answer_page, next_page
from thunderref.serve.api import fight_question
from thunderref.serve.tapped_pages import MOST_TEXT
from thunderref.serve.visitor import Parts, Visitor, address
from thunderref.thorgal import round as course
from thunderref.thorgal.fight import MOST_FOES, MOST_REROLLS, answer_fight, is_card, noted_fight, orders, read_dice
from thunderref.thorgal.game_file import add_step, begin_game, dice_step, enemy_step, game_path, read_steps, undo_step
from thunderref.thorgal.grid import COVERED, HEART, RED, SIGNS, TOKEN, YELLOW, Cell, Grid, read_cards
from thunderref.thorgal.laying import DRAWINGS, MOST_TILES, Piece, Tile, read_tile, read_tiles
from thunderref.thorgal.round import GameStep, GameTable
from thunderref.thorgal.wounds import read_board

PARAMETERS = ("fight", "enemy", "tiles", "rerolls", "go", "pane", "paint")
MOST_CARD = 2_000
"""Characters of a fight: of its cards, field by field."""
MOST_TAPS = 60
BLANK_CARD = "...../...../....."
SMALL_TILE = 4
"""Fields of the tiles that show at once."""
USUAL = ("", HEART, YELLOW, RED)
"""What is on most fields; "" for nothing."""
PAINTS = (*USUAL, *(kind for kind in SIGNS if kind not in (*USUAL, COVERED, TOKEN)))
_COLOURS = 8
_FIELDS_OF = {
    "thorgal-bad-card": ("card", "row"), "thorgal-no-card": ("card",), "thorgal-card-twice": ("row",),
    "thorgal-length": ("length",), "thorgal-enemy-name": ("name",),
    **dict.fromkeys(("thorgal-names", "thorgal-same-name", "thorgal-empty-name", "thorgal-players"), ("names",)),
}  # fmt: skip
"""Error -> the fields that it may be about; what else is wrong is so in the one of something ``noted``."""


class Spot(NamedTuple):
    """A field as it is drawn: its classes, its sign, the letter of the tile on it, and all of that in words."""

    look: str
    sign: str
    letter: str
    name: str


def kind_spot(words: Language, kind: str) -> Spot:
    sign = "♥" if kind == HEART else SIGNS[kind][0] if kind else ""
    return Spot(f"field k-{kind or 'plain'}", sign, "", words.say(f"thorgal.kind.{kind or 'plain'}"))


def draw_card(words: Language, grid: Grid, pieces: Sequence[Piece] = (), *, judged: bool = False) -> list[list[Spot]]:
    """The rows of a card with what is laid on it; ``judged``, so that a heart without a tile is marked."""
    owners = {cell: (n, piece.letter) for n, piece in enumerate(pieces) for cell in grid.cells(piece.mask)}
    rows: list[list[Spot]] = []
    for row, fields in enumerate(grid.rows):
        rows.append([])
        for column, field in enumerate(fields):
            number, letter = owners.get(Cell(row, column), (0, ""))
            seen = field.kinds if field.open or not letter else ()  # an earlier wound hides its field
            kinds = [kind_spot(words, kind) for kind in seen] or [kind_spot(words, "")]
            bare = judged and HEART in field.kinds and not letter
            look = [
                *(kind.look for kind in kinds),
                *([f"t{number % _COLOURS + 1}"] if letter else []),
                *(["bare"] if bare else []),
            ]
            name = [*(kind.name for kind in kinds), *([letter] if letter else [])]
            name += [words.say("serve.thorgal.bare")] if bare else []
            sign = "".join(kind.sign for kind in kinds) + (str(field.heal) if field.heal else "")
            rows[-1].append(Spot(" ".join(look), sign, letter, ", ".join(name)))
    return rows


def thorgal_page(
    visitor: Visitor, query: QueryParams, error: str = "", typed: Mapping[str, str] = MappingProxyType({})
) -> Parts:
    """The game of Thorgal under way, the card of an enemy, or a fight; or what is wrong with the question.

    What was ``typed`` stays in its fields.
    """
    words = visitor.words
    fields = {name: query.get(name, "")[: MOST_CARD if name == "fight" else MOST_TEXT] for name in PARAMETERS}
    parts: Parts = {
        "page": None,
        "error": error,
        "refused": bool(error),
        "asked": fields,
        "mode": "",
        "sized": (),
        "typed": typed,
    }
    try:
        try:
            steps, table = read_steps(game_path(None))
        except NoAnswerError:
            steps, table = [], None
        if fields["pane"] == "card":
            return parts | _card_parts(words, table, fields, query)
        if any(fields[name] for name in ("fight", "enemy", "tiles")) or "go" in query:
            return parts | _fight_parts(words, table, fields, query, len(steps))
        return parts | _game_parts(words, table, len(steps))
    except ThunderrefError as problem:
        return parts | {"error": words.error(problem, on_page=True), "refused": True}


def _typed(form: Mapping[str, str]) -> list[str]:
    return [*fight_question([form["fight"]]).fight, *filter(None, [form["enemy"]])]


def _game_parts(words: Language, table: GameTable | None, steps: int) -> Parts:
    """The buttons for who does what now; without a game those that begin one."""
    if table is None:
        return {"mode": "start", "steps": 0}
    page, moves = next_page(words, table, None)
    names = course.names_of(words, table)
    boards = [(name, read_board(seat.board)) for name, seat in zip(names, table.seats, strict=True) if seat.board]
    return {
        "mode": "game", "table": table, "steps": steps, "names": names, "characters": characters_block(words, table),
        "moves": list(zip(moves, page.blocks[0].lines, strict=True)), "next": page.blocks[-1],
        "page": page._replace(blocks=page.blocks[1:-1]),
        "boards": [(name, draw_card(words, board.grid, board.wounds)) for name, board in boards],
    }  # fmt: skip


def _card_parts(words: Language, table: GameTable | None, form: Mapping[str, str], query: QueryParams) -> Parts:
    """The cards to fight field by field, and what may be on one."""
    typed, paint = _typed(form), form["paint"] or HEART
    paint = "" if paint not in PAINTS else paint  # “plain” is nothing
    if table is not None and typed:
        cards = noted_fight(words, table, typed).cards
    else:
        cards = read_cards(list(filter(is_card, typed)) or [BLANK_CARD])
    names = course.names_of(words, table) if table else []
    players = [word for word in typed if not is_card(word) and course.named_seat(names, word) is not None]
    if "put" in query or "size" in query:
        for tap in query.getlist("put")[:MOST_TAPS]:
            _put(cards, tap, paint)
        for tap in query.getlist("size")[:MOST_TAPS]:
            _resize(cards, tap)
        fight = " ".join([*players, "|".join(card.text for card in cards)])
        fields = {name: form[name] for name in ("tiles", "rerolls")}
        return {"go": address("/thorgal", fight=fight, pane="card", paint=paint or "plain", **fields)}
    fight = "|".join(card.text for card in cards)
    return {
        "mode": "card", "cards": [draw_card(words, card) for card in cards], "paint": paint, "text": fight,
        "fight": " ".join([*players, fight]), "has_heart": any(card.mask_of(HEART) for card in cards),
        "usual": [(kind, kind_spot(words, kind)) for kind in USUAL], "running": table is not None,
        "others": [(kind, kind_spot(words, kind)) for kind in PAINTS[len(USUAL) :]],
    }  # fmt: skip


def _put(cards: list[Grid], tap: str, paint: str) -> None:
    """Puts something on the field “card.row.column”; one that is not there is left out."""
    numbers = [int(number) for number in tap.split(".") if number.isascii() and number.isdecimal() and len(number) < 4]
    if len(numbers) == 3 and numbers[0] < len(cards):
        card, cell = cards[numbers[0]], Cell(*numbers[1:])
        if cell.row < card.height and cell.column < card.width:
            cards[numbers[0]] = card.with_kind(cell, paint)


def _resize(cards: list[Grid], tap: str) -> None:
    """A row more or fewer of all cards, a column of the last, or a card: ``+row``, ``-column``, ``+card``."""
    by, last = -1 if tap[:1] == "-" else 1, cards[-1]
    if tap[1:] == "row":
        cards[:] = [card.sized(card.height + by, card.width) for card in cards]
    elif tap[1:] == "column":
        cards[-1] = last.sized(last.height, last.width + by)
    elif tap == "+card" and len(cards) < MOST_FOES:
        cards += read_cards(["/".join(["." * last.width] * last.height)])
    elif tap == "-card":
        del cards[max(1, len(cards) - 1) :]


def _fight_parts(
    words: Language, table: GameTable | None, form: Mapping[str, str], query: QueryParams, steps: int
) -> Parts:
    """The verdict on the tiles that are tapped, or the chance before the roll if the game knows the dice."""
    typed, rerolls = _typed(form), form["rerolls"] or "0"
    if not rerolls.isdecimal() or len(rerolls) > 2:
        raise InputError("thorgal-number", name="--rerolls", n=rerolls[:9], least=0, most=MOST_REROLLS)
    tiles = _tapped(read_tiles(form["tiles"]), query)
    listed = ",".join(tile.name for tile in tiles)
    fields = {"fight": form["fight"], "enemy": form["enemy"], "rerolls": form["rerolls"]}
    if any(tap in query for tap in ("add", "drop", "undo")):
        return {"go": address("/thorgal", tiles=listed, **fields, go="" if any(fields.values()) else "1")}
    noted = noted_fight(words, table, typed) if table else None
    cards = noted.cards if noted else read_cards(typed)
    orders(cards)
    many = {"tiles": listed} if tiles else {"rerolls": int(rerolls)}
    page, lack, missing, colour, lines = None, "", "", "", list[str]()
    names = course.names_of(words, table) if table else []
    grid, pieces = reduce(Grid.beside, cards), tuple[Piece, ...]()
    try:
        answer = answer_fight(words, fight_question(typed, **many), table)
        page = fight_answer_page(words, answer)
        page = page._replace(blocks=[block for block in page.blocks if block.lines and not block.compact])
        if answer.outcome:
            grid, pieces = answer.outcome.grid, answer.outcome.pieces
            lines, page = [line.text for line in page.blocks[0].lines], page._replace(blocks=page.blocks[1:])
    except ThunderrefError as error:
        if error.code not in ("thorgal-no-tiles", "thorgal-no-dial", "thorgal-no-faces", "thorgal-dice-missing"):
            raise
        lack = words.error(error, on_page=True) if noted else ""  # the tiles can be tapped all the same
        missing = {"thorgal-no-dial": "rolls", "thorgal-no-faces": "dice"}.get(error.code if noted else "", "")
        colour = error.params.get("colour", "")
    kinds = [kind for kind in SIGNS if any(kind in field.kinds for row in grid.rows for field in row)]
    every = [read_tile(name) for name in DRAWINGS]
    return {
        "mode": "fight", "page": page, "told": lines,
        "lack": lack, "tiles": listed, "tapped": [tile.name for tile in tiles], "kept": fields, "pieces": pieces,
        "grid": draw_card(words, grid, pieces, judged=bool(tiles)), "kinds": [kind_spot(words, kind) for kind in kinds],
        "sized": ([t for t in every if t.size <= SMALL_TILE], [t for t in every if t.size > SMALL_TILE]),
        "most": MOST_TILES,
        "names": names, "who": noted.name if noted else "", "missing": missing, "colour": colour, "steps": steps,
        "seat": names.index(noted.name) if noted else 0,
        "enemy": (noted.enemy if noted else "") or "|".join(card.text for card in cards), "card": str,
        "rerolls": range(4) if noted and page and not tiles else (), "now": int(rerolls),
    }  # fmt: skip


def _tapped(tiles: list[Tile], query: QueryParams) -> list[Tile]:
    """The tiles after a tap: without the last one, or the last of a name, and with what is added."""
    if "undo" in query:
        del tiles[-1:]
    names = [tile.name for tile in tiles]
    if (gone := query.get("drop", "")) in names:
        del tiles[len(names) - 1 - names[::-1].index(gone)]
    return [*tiles, *read_tiles(query.get("add", "")[:MOST_TEXT])][:MOST_TILES]


def play_thorgal(visitor: Visitor, sent: Mapping[str, str]) -> Parts:
    """Keeps the step that is sent, or says why it is none on the page where it was typed: the game, or a fight."""
    origin = {name: sent[name] for name in ("fight", "enemy", "rerolls", "pane") if sent.get(name)}
    origin |= {"go": "1"} if origin else {}
    try:
        _play(visitor.words, sent)
    except ThunderrefError as error:
        fields = [name for name in _FIELDS_OF.get(error.code, ("noted",)) if name in sent]
        typed = {**sent, "fault": fields[0] if fields else ""}
        return thorgal_page(visitor, QueryParams(origin), visitor.words.error(error, on_page=True), typed)
    return {"go": address("/thorgal", **origin) if "noted" in sent else "/thorgal"}


def _play(words: Language, sent: Mapping[str, str]) -> None:
    do, *numbers = sent.get("do", "").split()
    counts, path = [_number(text) for text in numbers], game_path(None)
    seen, text = _number(sent.get("steps", "0")), sent.get("noted", "")[:MOST_TEXT]
    match do, counts:
        case "start", [players]:
            names = sent.get("names", "")[:MOST_TEXT].strip() or None
            seats, solo = course.seats_of(None if names else players, names)
            row = sorted(map(_number, sent.get("row", "")[:MOST_TEXT].replace(",", " ").split()))
            length = int(text) if (text := sent.get("length", "").strip() or "0").isdecimal() and len(text) < 4 else -1
            if not 0 <= length <= course.MOST_NUMBER:
                raise InputError("thorgal-length", value=text[:20])
            step = {"do": do, "names": seats, "solo": solo, "adventure": "", "length": length, "row": row, "first": 0}
            begin_game(None, step)
        case "undo", []:
            undo_step(path, seen)
        case "act", [source, card]:
            add_step(words, path, lambda table: course.act_step(table, table.turn, card, source), seen)
        case "act", []:
            card = _number(sent.get("card", ""), minimum=1)
            add_step(words, path, lambda table: course.act_step(table, table.turn, card, None), seen)
        case "threat", [seat, by]:
            add_step(words, path, lambda table: _of_seat(table, seat, {"do": do, "by": by}), seen)
        case "skill", [seat]:
            add_step(words, path, lambda table: _of_seat(table, seat, {"do": do, "used": True}), seen)
        case (("events" | "won"), []):
            add_step(words, path, lambda _: {"do": do}, seen)
        case "enemy", []:
            enemy = enemy_step(sent.get("name", ""), [sent.get("cards", "")[:MOST_CARD]])
            add_step(words, path, lambda _: enemy)
        case (("board" | "rolls"), [seat]):
            is_board = do == "board"
            noted = {"board": course.draw_board(read_board(text))} if is_board else {"dice": ", ".join(read_dice(text))}
            add_step(words, path, lambda table: _of_seat(table, seat, {"do": do, **noted}), seen)
        case "dice", []:
            faces = dice_step(f"{sent.get('colour', '')}: {text}")
            add_step(words, path, lambda _: faces, seen)
        case _:
            raise HTTPException(400)


def _of_seat(table: GameTable, seat: int, step: GameStep) -> GameStep:
    if not 0 <= seat < len(table.seats):
        raise HTTPException(400)
    return {"do": step["do"], "seat": seat, **step}


def _number(text: str, minimum: int = -course.MOST_NUMBER) -> int:
    digits = text.strip().removeprefix("+").removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 5):
        raise InputError("thorgal-bad-card", value=text[:20])
    number = int(text)
    if number < minimum:
        raise InputError("thorgal-bad-card", value=text[:20])
    return number
