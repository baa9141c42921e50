"""What counts as one answer, on positions small enough to think through."""

from engine.actions import Build
from engine.marbles import count
from engine.position import Player, Position
from engine.rules import apply
from puzzles.answers import Answers, rough_answers
from puzzles.values import turn_values
from solver.objective import parse_objective


def answers(position: Position, objective: str = "score") -> Answers:
    return Answers(turn_values(position, parse_objective(objective), "worst"), "worst")


def alone(
    ring: str, built: tuple[int, ...], *, row: str = "", display: tuple[int, ...] = (), **rest: object
) -> Position:
    levels = tuple(tuple(card for card in display if card // 100 == level) for level in (1, 2, 3))
    player = Player(ring=count(ring), built=built, **rest)  # type: ignore[arg-type]
    return Position(players=(player,), row=count(row), display=levels)


def test_orders_of_the_same_deeds_are_one_answer() -> None:
    position = alone("UU", (233, 236, 317), display=(214,))
    (deeds,) = answers(position).lean(position)
    assert {done for done, _ in deeds} == {
        ("build", 214, "display", 0),
        ("points", 0, "", 233),
        ("points", 0, "", 236),
        ("points", 0, "", 317),
    }


def test_payments_that_do_as_well_are_one_answer() -> None:
    position = alone("YR", (105, 106), display=(129,))
    assert len([1 for _ in answers(position).lean(position)]) == 1


def test_deeds_that_earn_nothing_are_no_part_of_an_answer() -> None:
    position = alone("R", (111, 131, 132, 901), row="Y", display=(103,))
    (deeds,) = answers(position).lean(position)
    assert {done for done, _ in deeds} == {("build", 103, "display", 0)}
    (deeds,) = answers(position, "score,marbles").lean(position)
    assert ("pick", 3, "", 132) in {done for done, _ in deeds}


def test_two_cards_that_do_as_well_are_two_answers() -> None:
    position = alone("RU", (901,), display=(102, 103))
    assert len(answers(position).lean(position)) == 2


def test_colours_that_do_as_well_are_two_answers_but_one_roughly() -> None:
    position = alone("R", (132, 901), row="UY", display=(103,))
    objective = parse_objective("score,marbles")
    values = turn_values(position, objective, "worst")
    found = Answers(values, "worst").lean(position)
    assert len(found) == 2
    assert len(rough_answers(found)) == 1


def test_the_line_of_an_answer_does_its_deeds_and_pays_the_least() -> None:
    position = alone("UUY", (217, 227, 233), display=(214, 101), row="R")
    found = answers(position)
    (deeds,) = found.lean(position)
    line = found.line(position, deeds)
    assert line[0][1] == Build(214, "display", count("UU"))
    after = position
    for before, action, reveals in line:
        assert before == after
        after = apply(before, action)
        assert not reveals
