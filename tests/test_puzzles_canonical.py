"""Puzzles that only differ in the names of colours have one canonical form."""

from random import Random

from engine.cards import CARDS
from engine.marbles import COLORS, Marbles
from engine.position import Player, Position, sorted_cards
from puzzles.canonical import PERMUTATIONS, Permutation, canonical_form, recoloured
from puzzles.finding import shipped
from solver.objective import parse_objective

SCORE = parse_objective("score")


def renamed(position: Position, permutation: Permutation) -> Position | None:
    def cards(numbers: tuple[int, ...]) -> tuple[int, ...] | None:
        found = [recoloured(number, permutation) for number in numbers]
        return None if None in found else sorted_cards(number for number in found if number)

    def marbles(counts: Marbles) -> Marbles:
        found = [0, 0, 0, 0]
        for color in COLORS:
            found[permutation[color]] = counts[color]
        return (found[0], found[1], found[2], found[3])

    player = position.player
    built, archive = cards(player.built), cards(player.archive)
    display = [cards(row) for row in position.display]
    if built is None or archive is None or None in display:
        return None
    return Position(
        players=(Player("", marbles(player.ring), built, archive, player.tokens),),
        row=marbles(position.row),
        display=tuple(row for row in display if row is not None),
    )


def test_there_are_24_permutations_and_each_maps_cards_one_to_one_or_not_at_all() -> None:
    assert len(PERMUTATIONS) == 24
    unlike = [number for number in CARDS if number not in (334, 336, 902, 903, 904)]
    for permutation in PERMUTATIONS:
        images = [image for number in unlike if (image := recoloured(number, permutation))]
        assert len(set(images)) == len(images)


def test_a_converter_keeps_its_kind_and_changes_its_colours() -> None:
    for permutation in PERMUTATIONS:
        image = recoloured(216, permutation)
        if image is not None:
            card = CARDS[image]
            assert card.convert_from == (permutation[0],)
            assert card.colors == (permutation[3],)
            assert card.convert_uses == 2


def test_renamed_puzzles_have_the_form_of_the_original() -> None:
    compared = 0
    for puzzle in shipped():
        if len(puzzle.position.players) > 1 or any(deck.size for deck in puzzle.position.decks) or puzzle.position.next:
            continue
        form = canonical_form(puzzle.position, SCORE, "worst")
        for permutation in PERMUTATIONS[1:]:
            other = renamed(puzzle.position, permutation)
            if other is not None:
                compared += 1
                assert canonical_form(other, SCORE, "worst") == form
    assert compared > 20


def test_different_puzzles_have_different_forms() -> None:
    puzzles = list(shipped())
    assert len({canonical_form(each.position, each.objective, each.luck) for each in puzzles}) == len(puzzles)
    position = puzzles[0].position
    assert canonical_form(position, SCORE, "worst") != canonical_form(position, SCORE, "average")


def test_cards_that_are_alike_are_one() -> None:
    rng = Random(3)
    for _ in range(20):
        built = tuple(sorted(rng.sample(range(101, 137), 5)))
        left = Position((Player(built=(*built, 333, 901)),))
        right = Position((Player(built=(*built, 334, 903)),))
        assert canonical_form(left, SCORE, "worst") == canonical_form(right, SCORE, "worst")


def test_a_question_about_one_colour_is_not_renamed() -> None:
    red, blue = (Position((Player(ring=ring, built=(901,)),)) for ring in ((1, 0, 0, 0), (0, 1, 0, 0)))
    goal = parse_objective("goal: ring holds 1 red")
    assert canonical_form(red, SCORE, "worst") == canonical_form(blue, SCORE, "worst")
    assert canonical_form(red, goal, "worst") != canonical_form(blue, goal, "worst")
