"""What nature may reveal, and how likely it is."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from engine.actions import Build, Draw, File, Pass, Pick, ResearchDeck, Reveal
from engine.cards import DECK_CARDS
from engine.marbles import Color, count
from engine.playout import replay
from engine.position import Awaited, Deck, Player, Position
from engine.reveals import outcomes, reveal
from engine.rules import apply

TABLE = Position(
    (Player(built=(901,)), Player(built=(902,))),
    row=count("RRUUKY"),
    display=((101, 102, 103, 104), (201, 202, 203), (301, 302)),
    decks=(Deck(32), Deck(33), Deck(14)),
)


def chances(position: Position) -> dict[int, Fraction]:
    return {outcome.reveal.value: outcome.probability for outcome in outcomes(position)}


def test_a_marble_comes_from_the_dispenser_where_next_is_hidden() -> None:
    after = apply(TABLE, Pick(Color.RED))
    assert chances(after) == {0: Fraction(11, 46), 1: Fraction(11, 46), 2: Fraction(12, 46), 3: Fraction(12, 46)}
    assert [outcome.reveal.kind for outcome in outcomes(after)] == ["row"] * 4


def test_a_known_next_marble_enters_at_once_and_a_new_one_is_owed_where_it_is_face_up() -> None:
    after = apply(replace(TABLE, next=(Color.YELLOW,), preview=1), Pick(Color.RED))
    assert after.players[0].ring == count("R")
    assert after.row == count("RUUKYY")
    assert after.turn.awaited == (Awaited("next"),)
    assert chances(after)[Color.YELLOW] == Fraction(11, 45)


def test_marbles_known_further_ahead_are_used_up_before_new_ones_are_owed() -> None:
    after = apply(replace(TABLE, next=(Color.YELLOW, Color.RED), preview=1), Pick(Color.RED))
    assert (after.to_move, after.next, after.turn.awaited) == (1, (Color.RED,), ())


def test_next_is_not_drawn() -> None:
    drawing = replace(TABLE, next=(Color.RED,), preview=1, turn=replace(TABLE.turn, acted=True, triggered=(901,)))
    after = apply(drawing, Draw(901))
    assert chances(after)[Color.RED] == Fraction(10, 45)
    assert reveal(after, Reveal("draw", Color.RED)).next == (Color.RED,)


def test_spent_marbles_are_back_in_the_dispenser() -> None:
    rich = replace(TABLE, players=(Player(ring=count("KK"), built=(901,)), TABLE.players[1]))
    assert rich.dispenser[Color.BLACK] == 10
    assert apply(rich, Build(101, spend=count("K"))).dispenser[Color.BLACK] == 11


def test_every_unseen_card_of_a_level_is_as_likely_those_out_of_the_game_included() -> None:
    after = apply(TABLE, File(301))
    unseen = set(DECK_CARDS[3]) - {301, 302}
    assert chances(after) == dict.fromkeys(unseen, Fraction(1, 34))


def test_a_known_top_card_is_certain_and_a_known_bottom_card_comes_last() -> None:
    known_top = replace(TABLE, decks=(Deck(32, top=(110, 120)), *TABLE.decks[1:]))
    assert apply(known_top, File(101)).display[0] == (102, 103, 104, 110)
    known_bottom = replace(TABLE, decks=(Deck(2, bottom=(110, 120)), *TABLE.decks[1:]))
    after = apply(known_bottom, File(101))
    assert after.display[0] == (102, 103, 104, 110)
    assert after.decks[0] == Deck(1, bottom=(120,))


def test_a_known_bottom_card_is_not_drawn_while_others_are_left() -> None:
    after = apply(replace(TABLE, decks=(Deck(3, bottom=(110,)), *TABLE.decks[1:])), File(101))
    assert 110 not in chances(after)


def test_an_empty_deck_leaves_a_gap() -> None:
    after = apply(replace(TABLE, decks=(Deck(0), *TABLE.decks[1:])), File(101))
    assert (after.turn.awaited, after.display[0]) == ((), (102, 103, 104))


def test_an_empty_dispenser_leaves_a_gap_in_the_row() -> None:
    crowd = tuple(Player(ring=ring, built=(901 + seat,)) for seat, ring in enumerate([(11, 11, 12, 12), (0, 0, 0, 0)]))
    after = apply(replace(TABLE, players=(crowd[1], crowd[0])), Pick(Color.RED))
    assert after.to_move == 1
    assert sum(after.row) == 5


def test_a_research_reveals_card_by_card_and_returns_cards_to_the_bottom() -> None:
    cards = [Reveal("research", number) for number in (210, 205, 236)]
    seeing = replay(TABLE, [ResearchDeck(2), *cards])
    assert seeing.turn.research is not None
    assert seeing.turn.research.seen == (205, 210, 236)
    assert seeing.decks[1].size == 30
    assert apply(seeing, Pass()).decks[1] == Deck(33, bottom=(205, 210, 236))
    assert apply(seeing, Pass((236, 205, 210))).decks[1] == Deck(33, bottom=(236, 205, 210))
    kept = apply(seeing, File(205, "research", order=(236, 210)))
    assert kept.decks[1] == Deck(32, bottom=(236, 210))
    assert kept.players[0].archive == (205,)
