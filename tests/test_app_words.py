"""Words: every language says everything, and every card is said in words."""

from __future__ import annotations

import re
from string import Formatter

import pytest
from command import gizmos

from app.card_text import long_text, short_text
from app.words import Words, languages, words_for
from engine.cards import CARDS
from engine.errors import UnreadableError


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_has_the_keys_of_the_english_one(language: str) -> None:
    assert set(Words(language).keys()) == set(Words("en").keys())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("key", Words("en").keys())
def test_a_text_fills_in_what_the_english_one_does(language: str, key: str) -> None:
    texts, english = Words(language).texts(key), Words("en").texts(key)
    assert len(texts) == len(english)
    assert _placeholders("".join(texts)) == _placeholders("".join(english))


@pytest.mark.parametrize("language", languages())
def test_cards_that_do_different_things_are_said_differently(language: str) -> None:
    words = Words(language)
    for write in (short_text, long_text):
        said: dict[str, object] = {}
        for card in CARDS.values():
            does = (card.trigger, card.trigger_colors, card.effect, card.amount, card.convert_from, card.convert_to)
            gives = (card.convert_uses, card.storage, card.archive, card.research, card.special)
            assert said.setdefault(write(words, card), (does, gives)) == (does, gives)
            assert re.fullmatch(r"[^{}]+", write(words, card))


def test_the_language_of_the_environment_is_spoken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIZMOS_LANG", "pt_BR.UTF-8")
    assert words_for().language == "pt"
    assert words_for("en").language == "en"
    assert "Ao construir" in gizmos("cards", "227").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["prove", "chain", "--safe"], "Provado: score 3. Nenhum turno sem sorte faz melhor."),
        (["check", "three-listeners", "build 201 with KKK; 134: points"], "Não é a melhor:"),
        (["solve", "three-listeners"], "resposta"),
    ],
)
def test_a_command_speaks_the_language_asked_for(arguments: list[str], says: str) -> None:
    assert says in gizmos(*arguments, "--lang", "pt").words


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UnreadableError, match="expected en, pt"):
        words_for("tlh")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["208", "217"], [208, 217]),
        (["208", "208"], [208]),
        (["--level", "ii", "--color", "red"], [203, 207, 211, 215, 219, 223, 227, 231, 235]),
        (["--effect", "free-build"], [319, 320]),
        (["--effect", "upgrade", "--level", "1", "--color", "black"], [121, 125]),
        (["--effect", "convert", "--level", "3"], [303, 304, 305, 306]),
        (["--color", "red", "--level", "0"], None),
    ],
)
def test_cards_are_chosen(arguments: list[str], expected: list[int] | None) -> None:
    run = gizmos("cards", *arguments, "--json")
    if expected is None:
        assert run.code == 2
    else:
        assert [card["id"] for card in run.data] == expected


def test_all_cards_are_listed() -> None:
    assert len(gizmos("cards", "--json").data) == 112
    assert gizmos("cards", "208").words == ("208 level II YYY 3 pts When you build from your archive: pick 2 marbles.")
