"""Whatever is handed in as a puzzle, a line or an address is read or refused, never a crash."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import GizmosError
from puzzles.address import read_address, write_address
from puzzles.checking import check_line
from puzzles.document import puzzle_to_json, puzzle_to_toml, read_puzzle
from puzzles.finding import shipped_puzzles
from puzzles.values import turn_values

NAMES = list(shipped_puzzles())
JUNK = st.text("RUKY0123456789{}[]()=,;:.\"' \nabcdefghijklmnopqrstuvwxyz%?&/~-", max_size=12)


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """A text with a few pieces cut out, doubled or replaced."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 20)))
        text = text[:start] + draw(st.one_of(st.just(text[start:end] * 2), JUNK, st.just(""))) + text[end:]
    return text


@given(st.data(), st.sampled_from(NAMES), st.booleans())
@settings(max_examples=150, deadline=None)
def test_any_document_is_read_or_refused(data: st.DataObject, name: str, as_json: bool) -> None:
    document = shipped_puzzles()[name].read().document
    text = data.draw(mutated(puzzle_to_json(document) if as_json else puzzle_to_toml(document)))
    try:
        puzzle = read_puzzle(text)
    except GizmosError:
        return
    assert read_puzzle(puzzle_to_toml(puzzle.document)).position == puzzle.position


@given(st.data(), st.sampled_from(NAMES))
@settings(max_examples=100, deadline=None)
def test_any_address_is_read_or_refused(data: st.DataObject, name: str) -> None:
    text = data.draw(mutated(write_address(shipped_puzzles()[name].read(), answer=True)))
    with suppress(GizmosError):
        read_address(text)


@given(st.data(), st.sampled_from(NAMES))
@settings(max_examples=100, deadline=None)
def test_any_line_is_judged_or_refused(data: st.DataObject, name: str) -> None:
    puzzle = shipped_puzzles()[name].read()
    assert puzzle.answer is not None
    text = data.draw(mutated(puzzle.answer.lines[0]))
    try:
        checked = check_line(puzzle, turn_values(puzzle.position, puzzle.objective, puzzle.luck), text)
    except GizmosError:
        return
    assert checked.right == (checked.ended and not any(checked.loss))
