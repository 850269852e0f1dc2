"""The results of ``resolve``, ``village``, ``turn``, ``score`` and ``odds``; ``model_dump()`` is the JSON of each."""

from collections import Counter
from typing import Any, Literal

from thunderref.database.validation import Record


class ResultStep(Record, kw_only=True):
    """One line of the explanation: what it adds to Attack, Magic Attack, Light, and to the total after R5.12.

    ``short`` is the choice in a few words, if a step of the ``line`` begins here: one for each, in the same order.
    """

    text: str
    short: str | None = None
    part: Literal["prepare", "battle", "sum", "after"] = "sum"
    rules: list[str] = []
    card: str | None = None
    attack: int = 0
    magic_attack: int = 0
    light: int = 0
    total: int = 0


class GoldFrom(Record, kw_only=True):
    card: str
    gold: int


class Purchase(Record, kw_only=True):
    """A right to buy one card after the victory (R6.4): whose, of which kinds, the gold, and the cards on offer.

    ``gold_least`` is left in any case if chance destroys a card first: ``options`` are bought with that,
    ``options_perhaps`` with up to ``gold``. ``perhaps``: chance may destroy the hero who gives the right.
    ``bought`` is what the plan bought with it, None while it is open.
    """

    card: str
    buys: list[str]
    gold: int
    gold_least: int
    gold_from: list[GoldFrom]
    options: list[str]
    options_perhaps: list[str] = []
    perhaps: bool = False
    bought: str | None = None


class ChanceLoss(Record, kw_only=True):
    """A card of the player's that chance destroys after the battle, or may (not ``certain``): one of ``cards``."""

    card: str
    certain: bool
    cards: list[str]


class More(Record, kw_only=True):
    """One change that would win: ``n`` more, for a ``hero`` with a ``weapon``, a Disease less, another ``rank``.

    ``shown`` is True if the line of the target wins with it.
    """

    what: Literal["light", "strength", "attack", "magic_attack", "disease", "rank"]
    n: int
    hero: str | None = None
    weapon: str | None = None
    rank: int | None = None
    text: str
    shown: bool = False


class Missing(Record, kw_only=True):
    """The highest total (None: barred), what it lacks; what would win: one of ``cards`` more, or one of ``helps``.

    ``line`` is the play with the highest total, None if that is the line of the target.
    """

    best_total: int | None
    short: int | None
    cards: list[str]
    helps: list[More] = []
    line: list[dict[str, Any]] | None = None


class OtherReading(Record, kw_only=True):
    """What would change if an open question of the rules were answered with ``value``.

    ``total``, ``margin`` and ``outcome`` are those of the same line (None and ``illegal`` if that is not allowed),
    ``best_total`` and ``best_outcome`` those of the best line then, None if none was searched.
    """

    reading: str
    rule: str
    value: str
    legal: bool
    total: int | None
    margin: int | None
    outcome: str
    best_total: int | None = None
    best_outcome: Literal["victory", "defeat"] | None = None
    text: str


class Probability(Record, kw_only=True):
    """A probability: the exact fraction, or wins of samples; the same in percent rounded to one decimal."""

    fraction: str
    percent: float


class Draws(Record, kw_only=True):
    """What a draw of unknown cards could change: those ``by`` which it comes, the cards that ``would_win``.

    Cards that win only together are a list. ``chance`` is that of the best play, None if the deck is unknown; it
    ``covers`` the list if it is the chance to draw one of these cards. Without ``proven`` not everything was tried.
    """

    by: list[str]
    would_win: list[str | list[str]]
    chance: Probability | None = None
    covers: bool = True
    proven: bool = True


class UnknownWin(Record, kw_only=True):
    """What would beat a target of the unknown cards on which an effect hangs (R4.11).

    ``would_win`` are the cards that one's own ``by`` would have to borrow, conjure or recruit (``kind``), none where
    the others must have nothing to discard; ``proven`` is False if not all were tried.
    """

    by: str
    kind: str
    would_win: list[str]
    proven: bool = True


class TargetResult(Record, kw_only=True):
    """The battle against one target; None for a barred target's figures.

    ``worth`` are the VP of the monster for a player who beats it: of a Horde card, how many they would own (R7.2).
    ``gained_vp`` are those of all that is gained, a Thunderstone and what a Horde card adds to others included.

    ``attack`` and ``magic_attack`` enter R5.12. ``line`` is in plan notation, ``proven`` is False if the search was cut
    short, after ``searched`` positions. ``hall_after`` is None where unknown, and in the ranks of ``empty_after``;
    ``idle`` are the cards of the hand that give nothing, with the reason, so far as the sum does not tell it.
    ``unknown`` are cards that need unknown cards of others (R4.11) or cost the player unknown ones, ``lost`` monsters
    that escaped alone (R9.5), ``destroyed_foreign`` those of ``destroyed`` that were never the player's.
    """

    rank: int
    monster: str
    can_attack: bool
    reason: str | None = None
    health: int
    attack: int | None = None
    magic_attack: int | None = None
    light: int | None = None
    light_penalty: int
    total: int | None = None
    margin: int | None = None
    outcome: Literal["victory", "defeat", "barred"]
    destroyed: list[str] = []
    destroyed_foreign: list[str] = []
    gained: list[str] = []
    discarded: list[str] = []
    xp: int = 0
    vp: int = 0
    worth: int = 0
    gained_vp: int = 0
    spoils: list[Purchase] = []
    line: list[dict[str, Any]] = []
    steps: list[ResultStep] = []
    idle: list[ResultStep] = []
    readings: list[str] = []
    other_readings: list[OtherReading] = []
    unknown_draws: int = 0
    draws: Draws | None = None
    unknown_wins: list[UnknownWin] = []
    hall_after: list[str | None] = []
    empty_after: list[int] = []
    rank0_after: list[str] = []
    caged: list[str] = []
    lost: list[str] = []
    unknown: list[str] = []
    chance_loss: ChanceLoss | None = None
    game_ends: bool = False
    missing: Missing | None = None
    missing_proven: bool = True
    proven: bool = True
    searched: int | None = None

    @property
    def destroyed_own(self) -> list[str]:
        """Those of ``destroyed`` that were the player's."""
        return list((Counter(self.destroyed) - Counter(self.destroyed_foreign)).elements())


class BattleFigures(Record, kw_only=True):
    """The figures of one battle for a comparison; None for a target that cannot be attacked."""

    monster: str
    outcome: Literal["victory", "defeat", "barred"]
    attack: int | None
    magic_attack: int | None
    light_penalty: int
    total: int | None
    health: int
    destroyed: list[str]
    destroyed_foreign: list[str] = []
    gained: list[str] = []


class Comparison(Record, kw_only=True):
    """A line with another choice beside the best one, against one target.

    ``decided_by`` is where they differ (victory, vp or cost of what is destroyed, margin, total; for another target
    also worth, its VP, and xp), ``by`` how much. ``lost`` are the steps only the best line has, ``instead`` those only
    the other has. For another target ``best_rank`` is that of the best one.
    """

    rank: int
    monster: str
    verdict: str
    decided_by: str | None = None
    by: int = 0
    best: BattleFigures
    best_rank: int | None = None
    choice: BattleFigures
    reason: str | None = None
    line: list[dict[str, Any]] = []
    lost: list[ResultStep] = []
    instead: list[ResultStep] = []


class WhyNot(Record, kw_only=True):
    """What another choice would have given; ``asked`` as typed, ``step`` as a plan writes it, ``text`` in words.

    An illegal choice has a ``reason`` (a sentence), ``rule`` and ``code``. ``plan``: it was put into the given plan;
    with a ``reason`` it does not fit the rest of that, and the targets are those of the best line with it.
    """

    asked: str | dict[str, Any]
    step: dict[str, Any]
    text: str
    verdict: str
    reason: str | None = None
    rule: str | None = None
    code: str | None = None
    plan: bool = False
    targets: list[Comparison] = []
    proven: bool = True
    searched: int | None = None


class TableCards(Record, kw_only=True):
    """The cards that were understood: the hand, the hall with rank 1 first (None for an empty rank), rank 0.

    ``deck`` are the known draws, ``xp`` is there at the start, ``players`` their number where a visit was told it.
    """

    hand: list[str] = []
    hall: list[str | None] = []
    rank0: list[str] = []
    deck: list[str] = []
    xp: int = 0
    players: int | None = None


class Resolution(Record, kw_only=True):
    """The answer to a scenario: every target judged; ``best`` is the rank of the best one, None if all are barred.

    ``best_monster`` is the one attacked there. ``no_battle``: the game ended before, or nothing may be attacked (R4.6,
    R4.8); then ``game_ends`` to ``unknown`` describe the turn itself, as for a target, else these are None.
    ``readings_chosen`` are open questions not answered by default, ``other_readings`` what that changes about the turn.
    ``planned``: a plan was followed, and only its line judged. ``notes`` say what could not be read of the
    position (a Horde card still to come, R1.3).
    """

    ruleset: str
    goal: str
    table: TableCards = TableCards()
    targets: list[TargetResult]
    best: int | None
    best_monster: str | None = None
    no_battle: bool = False
    planned: bool = False
    game_ends: bool | None = None
    destroyed: list[str] | None = None
    gained: list[str] | None = None
    discarded: list[str] | None = None
    line: list[dict[str, Any]] | None = None
    steps: list[ResultStep] | None = None
    readings: list[str] | None = None
    unknown_draws: int | None = None
    hall_after: list[str | None] | None = None
    empty_after: list[int] | None = None
    rank0_after: list[str] | None = None
    caged: list[str] | None = None
    lost: list[str] | None = None
    unknown: list[str] | None = None
    why_not: list[WhyNot] = []
    notes: list[str] = []
    readings_chosen: dict[str, str] = {}
    other_readings: list[OtherReading] = []


class VisitStep(Record, kw_only=True):
    """One line of the explanation; the ``gold`` of all steps is the ``gold`` of the result, likewise ``xp``.

    ``short`` names the card where a use begins, None elsewhere.
    """

    text: str
    short: str | None = None
    part: Literal["effects", "gold", "buy", "level"] = "effects"
    rules: list[str] = []
    card: str | None = None
    gold: int = 0
    xp: int = 0
    gold_paid: int = 0
    xp_paid: int = 0


class BuyOption(Record, kw_only=True):
    buy: list[str]
    cost: int
    left: int
    vp: int = 0


class WantedCards(Record, kw_only=True):
    """Cards that the player asks about: what they ``cost``, and the most ``gold`` and purchases that the hand brings.

    ``why`` they cannot be bought together: too little gold, too few purchases, or not on top of their stacks.
    """

    cards: list[str]
    cost: int
    gold: int
    buys: int
    why: Literal["gold", "buys", "stack"] | None = None


class NextLevel(Record, kw_only=True):
    """A hero who can be levelled up with the player's XP; ``available`` is False if no such card is left."""

    hero: str
    to: str
    cost: int
    available: bool


class VisitWay(Record, kw_only=True):
    """A way to use the village effects: its gold, purchases and XP, the best purchase, and what it destroys.

    ``destroyed_cost`` is the gold that the destroyed cards cost in the village together.
    """

    gold: int
    buys: int
    buys_after: list[str] = []
    xp: int
    best: BuyOption | None = None
    destroyed: list[str] = []
    destroyed_cost: int = 0
    line: list[dict[str, Any]] = []
    unknown_draws: int = 0


class VisitResult(Record, kw_only=True):
    """The answer to a visit.

    ``gold`` and ``xp`` are those before buying and levelling up; ``buys`` the purchases allowed, ``buys_after`` the
    types of which one must be bought first for one more each. ``options`` are what the gold can buy, best first,
    ``unknown`` the cards whose effects depend on cards of other players (R4.11). Without a plan ``spending`` is the
    way to the most gold, ``sparing`` the best one that destroys nothing; None beside a plan.
    """

    goal: str
    table: TableCards = TableCards()
    gold: int
    gold_left: int
    buys: int
    buys_after: list[str] = []
    xp: int
    xp_left: int
    drawn: list[str] = []
    destroyed: list[str] = []
    discarded: list[str] = []
    gained: list[str] = []
    on_deck: list[str] = []
    line: list[dict[str, Any]] = []
    steps: list[VisitStep] = []
    options: list[BuyOption] = []
    options_complete: bool = True
    level_ups: list[NextLevel] = []
    stacks_known: bool = True
    wanted: WantedCards | None = None
    unknown_draws: int = 0
    unknown: list[str] = []
    readings_chosen: dict[str, str] = {}
    proven: bool = True
    spending: VisitWay | None = None
    sparing: VisitWay | None = None


class VisitWays(Record, kw_only=True):
    """The best purchase for each aim: the most gold, destroying nothing; what the bot would do; possible level-ups.

    ``advised`` is what the bot would do, as the ``choice`` and ``text`` of a :class:`WeighedChoice`.
    """

    spending: VisitWay
    sparing: VisitWay
    advised: dict[str, Any] = {}
    advised_text: dict[str, str] = {}
    level_ups: list[NextLevel] = []
    stacks_known: bool = True


class TurnRest(Record, kw_only=True):
    """What to destroy by resting (R2.3): the card the deck is better without, None if there is none."""

    destroy: str | None


class WeighedChoice(Record, kw_only=True):
    """What came of a way to begin the turn: the chance to win, its 95 % interval, and how much it is below the best.

    ``choice`` has the kind of ``turn`` with ``monster`` and ``rank``, or the cards to ``destroy`` and to ``buy``, and
    in ``level_up`` pairs of a hero and what they become; ``text`` says it in each language.
    The best has no ``difference``; that of the others is of games with the same deals.
    """

    choice: dict[str, Any]
    text: dict[str, str]
    games: int
    win_rate: float
    interval: tuple[float, ...]
    difference: float | None = None
    difference_interval: tuple[float, ...] | None = None


class WeighedGames(Record, kw_only=True):
    """Games played on from the turn by ``bot`` on every seat: all of them, by the choice they began with, best first.

    ``stopped`` says when: the best was ``clear``, all those left were about ``equal``, all ``games`` were played, or
    the ``time`` was up.
    """

    bot: str
    games: int
    choices: list[WeighedChoice]
    stopped: Literal["clear", "equal", "games", "time"]


class HandAverage(Record, kw_only=True):
    """What six cards drawn from a whole deck have on average: printed gold, Attack with Magic Attack, Light (R2.1)."""

    gold: float
    attack: float
    light: float


class TurnBasis(Record, kw_only=True):
    """Whose the advice is: that of ``games`` played on from the turn, or else that of the bot ``lookahead``.

    ``values`` are its estimates for each kind of turn, in VP by the end; None without a battle. ``assumed`` names the
    keys of the document that were missing and were filled in, and the decks of the others. ``interval`` is that of
    the chance to win with what is advised, None where nothing was played. ``alike`` are the kinds of turn whose
    estimate is too close to that of the advice to tell them apart. ``hand_now`` and ``hand_then`` are average hands of
    the player's deck before what is advised and after it.
    """

    by: Literal["lookahead", "games"] = "lookahead"
    values: dict[str, float | None]
    assumed: list[str]
    games: WeighedGames | None = None
    interval: tuple[float, ...] | None = None
    alike: list[Literal["dungeon", "village", "rest"]] = []
    hand_now: HandAverage
    hand_then: HandAverage


class TurnResult(Record, kw_only=True):
    """The three kinds of turn: the best battle (None without a hall, or if all is barred), purchases, resting.

    ``because`` says in each language what is advised and what is expected of it, a line for each turn about as good;
    ``fight`` is the battle that is weighed, if it is another; ``notes`` are as in a :class:`Resolution`.
    """

    table: TableCards = TableCards()
    dungeon: TargetResult | None
    fight: TargetResult | None = None
    village: VisitWays
    rest: TurnRest
    advice: Literal["dungeon", "village", "rest"]
    because: dict[str, str]
    basis: TurnBasis
    notes: list[str] = []


class ScoredCard(Record, kw_only=True):
    id: str
    count: int
    vp: int


class PlayerScore(Record, kw_only=True):
    name: str
    vp: int
    cards: list[ScoredCard]
    penalties: int = 0
    thunderstones: list[str] = []
    game_points: int | None = None
    campaign_points: int | None = None


class ScoreResult(Record, kw_only=True):
    """Who wins: players in the order given; ``tie_break`` says how a tie was settled, None if there was none.

    ``champions`` have won the campaign ``variant``, none while it is under way (R9.2, R9.3, R9.4). Of cards
    ``not_judged`` only the victory points printed on them count.
    """

    variant: str = "normal"
    players: list[PlayerScore]
    winners: list[str]
    tie_break: str | None = None
    champions: list[str] = []
    not_judged: list[str] = []


class TargetOdds(Record, kw_only=True):
    """The odds against one target with best play; ``exact`` is False if they were sampled or cut short.

    Then the chance in percent is within ``interval``, with ``confidence`` 0.95 if there are ``samples``, else 1;
    ``barred``: no draw lets the player attack.
    """

    rank: int
    monster: str
    win: Probability
    exact: bool = True
    interval: list[float] | None = None
    confidence: float | None = None
    samples: int | None = None
    expected_total: float | None
    barred: bool = False


class CardChance(Record, kw_only=True):
    """How likely at least one of a card, or of a kind of cards, is in the hand, and how many on average."""

    id: str
    copies: int
    chance: Probability
    expected: float


class NextHand(Record, kw_only=True):
    """The next hand: cards in it for certain (the deck runs out, R2.2), and the chances of every card and kind."""

    size: int
    reshuffled: bool
    certain: list[str]
    cards: list[CardChance]
    kinds: list[CardChance]


class OddsResult(Record, kw_only=True):
    """The odds against every target asked for; ``weighed`` is the number of positions after which odds are sampled.

    ``notes`` are as in a :class:`Resolution`.
    """

    table: TableCards = TableCards()
    targets: list[TargetOdds]
    hand: NextHand | None = None
    seed: int = 0
    weighed: int
    readings_chosen: dict[str, str] = {}
    notes: list[str] = []
