"""One turn as constraints: steps, and what lies where before each of them.

Written from the rules, sharing nothing with the search. Reveals are fixed: known cards come off the decks, known
marbles enter the row. Whatever would use an unknown card or marble is left out here; `solver.proof.unknown` says
whether a turn could come to it.

Points effects are taken at once, in any turn: nothing hinders them and nothing depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from engine.cards import CARDS, LEVELS, Level, Special, dashboard
from engine.marbles import COLORS, MARBLES_PER_COLOR
from solver.proof.payment import Payment, add_payment
from solver.proof.scope import Deed, Scope, heard_by

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LinearExpr

    Count: TypeAlias = LinearExpr | IntVar | int

Relaxation: TypeAlias = Literal["payment", "ring", "archive"]
"""A rule left out to see whether it is the one that stands in the way."""

_DRAW_LIMIT: Final = 99


class _Deck(NamedTuple):
    """A deck over time: cards drawn so far, the place after the last card, and each card's place and presence."""

    level: Level
    head: list[IntVar]
    tail: list[IntVar]
    members: tuple[int, ...]
    place: dict[tuple[int, int], Count]
    inside: dict[tuple[int, int], IntVar]


class TurnModel:
    """A CP-SAT model of a turn; `solver.proof.worth` says what the turn is worth."""

    open = False
    """True if the marbles in the ring at first, and those in the row, may be chosen."""

    def __init__(self, model: CpModel, scope: Scope, relaxed: frozenset[Relaxation] = frozenset()) -> None:
        self.model = model
        self.scope = scope
        self.relaxed = relaxed
        self.steps = range(scope.horizon)
        self.times = range(scope.horizon + 1)
        self.start_board = dashboard(scope.player.built)
        self._add_deeds()
        self._add_cards()
        self._add_limits()
        self._add_marbles()
        self._add_payments()
        self._add_triggers()

    # -- small helpers ------------------------------------------------------------------------------------------------

    def _bool(self, name: str) -> IntVar:
        return self.model.new_bool_var(name)

    def done(self, step: int, deeds: Iterable[Deed]) -> Count:
        """How many of these deeds are done in a step: 0 or 1."""
        return sum((self.does[step, deed] for deed in deeds), start=0)

    def times_done(self, deed: Deed) -> Count:
        """How often a deed is done."""
        return sum((self.does[step, deed] for step in self.steps), start=0)

    def _deeds(self, verb: str, **fields: object) -> list[Deed]:
        return [
            deed
            for deed in self.scope.deeds
            if deed.verb == verb and all(getattr(deed, name) == value for name, value in fields.items())
        ]

    # -- deeds: what is done in each step -----------------------------------------------------------------------------

    def _add_deeds(self) -> None:
        """One deed in each step until the turn ends; main action first, a research decided at once."""
        scope, model = self.scope, self.model
        self.does = {(step, deed): self._bool(f"{step} {deed}") for step in self.steps for deed in scope.deeds}
        self.idle = {step: self._bool(f"{step} idle") for step in self.steps}
        turn = scope.position.turn
        deciding: Count = int(turn.research is not None)
        decisions = [deed for deed in scope.deeds if _decides(deed)]
        mains = [deed for deed in scope.deeds if not deed.gizmo and not _decides(deed)]
        for step in self.steps:
            model.add_exactly_one([*(self.does[step, deed] for deed in scope.deeds), self.idle[step]])
            if step:
                model.add_implication(self.idle[step - 1], self.idle[step])
            model.add(self.done(step, decisions) == deciding)
            deciding = self.done(step, [deed for deed in scope.deeds if deed.verb == "research"])
            if step or not scope.main:
                model.add(self.done(step, mains) == 0)
            else:
                model.add(self.done(step, mains) == 1)
        model.add(deciding == 0)
        self._add_multiples()

    def _add_multiples(self) -> None:
        """A second pick or draw of an effect follows the one before at once; each effect begins once."""
        scope, model = self.scope, self.model
        pending = scope.position.turn.pending
        for gizmo in sorted(scope.reached):
            begins = [deed for deed in scope.deeds if deed.gizmo == gizmo and not deed.go_on]
            more = [deed for deed in scope.deeds if deed.gizmo == gizmo and deed.go_on]
            started = pending is not None and pending.gizmo == gizmo
            left = CARDS[gizmo].amount - 1
            if started and pending is not None and pending.done:
                left = CARDS[gizmo].amount - pending.done
                for step in self.steps:
                    model.add(self.done(step, begins) == 0)
            for step in self.steps:
                before: Count = self.done(step - 1, [*begins, *more]) if step else int(started)
                model.add(self.done(step, more) <= before)
            model.add(sum((self.done(step, more) for step in self.steps), start=0) <= left)
            model.add(sum((self.done(step, begins) for step in self.steps), start=0) <= 1)
        if pending is not None and not pending.done:
            begun = [deed for deed in scope.deeds if deed.gizmo == pending.gizmo and not deed.go_on]
            if begun:
                model.add(self.done(0, begun) == 1)

    # -- cards: where each one lies -----------------------------------------------------------------------------------

    def _add_cards(self) -> None:
        """Cards move between display, archive, dashboard and decks."""
        scope, model = self.scope, self.model
        self.cards = tuple(dict.fromkeys((*scope.buildable, *scope.opened)))
        self.displayed = {(card, t): self._bool(f"{t} {card} displayed") for card in self.cards for t in self.times}
        self.archived = {(card, t): self._bool(f"{t} {card} archived") for card in self.cards for t in self.times}
        self.built = {(card, t): self._bool(f"{t} {card} built") for card in self.cards for t in self.times}
        self.seen = {(card, t): self._bool(f"{t} {card} seen") for card in self.cards for t in self.times}
        for card in self.cards:
            model.add(self.displayed[card, 0] == int(card in scope.shown))
            model.add(self.archived[card, 0] == int(card in scope.player.archive))
            model.add(self.built[card, 0] == 0)
            model.add(self.seen[card, 0] == int(card in scope.opened))
        self._add_decks()
        for card in self.cards:
            for step in self.steps:
                self._move(card, step)

    def _move(self, card: int, step: int) -> None:
        model = self.model
        file_display = self.done(step, self._deeds("file", card=card, place="display"))
        file_seen = self.done(step, self._deeds("file", card=card, place="research"))
        build_display = self.done(step, self._deeds("build", card=card, place="display"))
        build_archive = self.done(step, self._deeds("build", card=card, place="archive"))
        build_seen = self.done(step, self._deeds("build", card=card, place="research"))
        model.add(file_display + build_display <= self.displayed[card, step])
        model.add(build_archive <= self.archived[card, step])
        model.add(file_seen + build_seen <= self.seen[card, step])
        arrives = self.arrives.get((card, step), 0)
        model.add(self.displayed[card, step + 1] == self.displayed[card, step] - file_display - build_display + arrives)
        model.add(self.archived[card, step + 1] == self.archived[card, step] + file_display + file_seen - build_archive)
        model.add(self.built[card, step + 1] == self.built[card, step] + build_display + build_archive + build_seen)

    def _add_decks(self) -> None:
        """Known cards come off the top one by one: to refill the display, or to be seen by a research."""
        self.arrives: dict[tuple[int, int], IntVar] = {}
        self.head: dict[Level, list[IntVar]] = {}
        revealed: set[int] = set()
        for level in LEVELS:
            revealed.update(self._add_deck(level))
        for card in self.cards:
            if card not in revealed:
                for t in self.times[1:]:
                    self.model.add(self.seen[card, t] == 0)

    def _add_deck(self, level: Level) -> tuple[int, ...]:
        """The deck of a level; returns its cards, whose `seen` it has tied.

        A card's place stays until it is returned; places change only where returned cards can come to light again.
        """
        scope, model = self.scope, self.model
        deck = scope.position.deck(level)
        order = scope.deck_cards(level)
        recycled = scope.recycles(level)
        turn = scope.position.turn
        opened = scope.opened if turn.research is not None and turn.research.level == level else ()
        members = tuple(dict.fromkeys((*order, *opened))) if recycled else order
        end = deck.size + _DRAW_LIMIT
        parts = _Deck(
            level,
            [model.new_int_var(0, end, f"{t} head {level}") for t in self.times],
            [model.new_int_var(0, end, f"{t} tail {level}") for t in self.times],
            members,
            {},
            {},
        )
        self.head[level] = parts.head
        model.add(parts.head[0] == 0)
        model.add(parts.tail[0] == deck.size)
        for card in members:
            for t in self.times:
                parts.inside[card, t] = self._bool(f"{t} {card} in deck")
                parts.place[card, t] = model.new_int_var(0, end, f"{t} {card} place") if recycled else order.index(card)
            model.add(parts.inside[card, 0] == int(card in order))
            if recycled and card in order:
                model.add(parts.place[card, 0] == order.index(card))
        if deck.unknown:
            for step in self.steps:
                for deed in self._deeds("research", level=level):
                    model.add(parts.head[step + 1] <= len(deck.top)).only_enforce_if(self.does[step, deed])
        for step in self.steps:
            self._deck_step(parts, step)
        return members

    def _deck_step(self, deck: _Deck, step: int) -> None:
        """What leaves the deck at the top in a step, and what comes back at the bottom."""
        scope, model = self.scope, self.model
        level, head, tail = deck.level, deck.head, deck.tail
        taken = self.done(step, [deed for deed in scope.deeds if _takes_display(deed, level)])
        some = self._bool(f"{step} deck {level} not empty")
        model.add(tail[step] >= head[step] + 1).only_enforce_if(some)
        model.add(tail[step] == head[step]).only_enforce_if(~some)
        refill = self._bool(f"{step} refill {level}")
        model.add(refill <= taken)
        model.add(refill <= some)
        model.add(refill >= taken + some - 1)
        research = self.done(step, self._deeds("research", level=level))
        looks = model.new_int_var(0, _DRAW_LIMIT, f"{step} looks {level}")
        self._look(level, step, looks, research, tail[step] - head[step])
        model.add(head[step + 1] == head[step] + refill + looks)
        back: dict[int, Count] = {}
        for card in deck.members:
            kept = self.done(step, [deed for deed in scope.deeds if deed.card == card and deed.place == "research"])
            back[card] = self.seen[card, step] - kept
        model.add(tail[step + 1] == tail[step] + sum(back.values()))
        for card in deck.members:
            self._deck_card(deck, step, card, refill)
            inside, seen = deck.inside, self.seen[card, step + 1]
            within = self._bool(f"{step} {card} within")
            depth = deck.place[card, step] - head[step]
            model.add(depth <= looks - 1).only_enforce_if(within)
            model.add(depth >= looks).only_enforce_if(~within)
            model.add(seen <= inside[card, step])
            model.add(seen <= within)
            model.add(seen <= research)
            model.add(seen >= inside[card, step] + within + research - 2)
            place, then = deck.place[card, step], deck.place[card, step + 1]
            lasts = not isinstance(place, int)
            arrives = self.arrives[card, step]
            model.add(inside[card, step + 1] == inside[card, step] - arrives - seen + (back[card] if lasts else 0))
            if lasts:
                rank = sum((back[other] for other in deck.members if other < card), start=0)
                returns = self._bool(f"{step} {card} returns")
                model.add(returns == back[card])
                model.add(then == tail[step] + rank).only_enforce_if(returns)
                model.add(then == place).only_enforce_if(~returns)

    def _deck_card(self, deck: _Deck, step: int, card: int, refill: IntVar) -> None:
        """A card on top enters the display when that is refilled."""
        depth = deck.place[card, step] - deck.head[step]
        top = self._is_zero(f"{step} {card} on top", depth, deck.inside[card, step])
        arrives = self._bool(f"{step} {card} arrives")
        self.model.add(arrives <= top)
        self.model.add(arrives <= refill)
        self.model.add(arrives >= top + refill - 1)
        self.arrives[card, step] = arrives

    def _look(self, level: Level, step: int, looks: IntVar, research: Count, size: Count) -> None:
        """A research looks at as many cards as the player may see, or at the whole deck if that is less."""
        model = self.model
        if isinstance(research, int):
            model.add(looks == 0)
            return
        amount = self.start_board.research_amount + sum(
            (CARDS[card].research * self.built[card, step] for card in self.cards if CARDS[card].research), start=0
        )
        on = self._bool(f"{step} researches {level}")
        model.add(on == research)
        model.add(looks == 0).only_enforce_if(~on)
        short = self._bool(f"{step} deck {level} short")
        model.add(size <= amount).only_enforce_if(short)
        model.add(size >= amount).only_enforce_if(~short)
        model.add(looks == size).only_enforce_if(on, short)
        model.add(looks == amount).only_enforce_if(on, ~short)
        model.add(size >= 1).only_enforce_if(on)

    def _is_zero(self, name: str, what: Count, also: IntVar) -> IntVar:
        """A variable that is true exactly if `also` is and an expression is 0."""
        model = self.model
        low, high, both = self._bool(f"{name} >="), self._bool(f"{name} <="), self._bool(name)
        model.add(what >= 0).only_enforce_if(low)
        model.add(what <= -1).only_enforce_if(~low)
        model.add(what <= 0).only_enforce_if(high)
        model.add(what >= 1).only_enforce_if(~high)
        model.add_bool_and(low, high, also).only_enforce_if(both)
        model.add_bool_or(~low, ~high, ~also, both)
        return both

    # -- limits -------------------------------------------------------------------------------------------------------

    def with_built(self, t: int, start: int, column: Literal["storage", "archive", "research"]) -> Count:
        """A limit before step `t`: what it was at the start, and a column of the cards built since."""
        amounts: dict[int, int] = {card: getattr(CARDS[card], column) for card in self.cards}
        return start + sum((amount * self.built[card, t] for card, amount in amounts.items() if amount), start=0)

    def ring_limit(self, t: int) -> Count:
        """How many marbles the ring takes before step `t`."""
        return self.with_built(t, self.start_board.ring_limit, "storage")

    def special(self, t: int, special: Special) -> Count:
        """How many gizmos with a special ability are built before step `t`."""
        mine = sum(1 for card in self.scope.player.built if CARDS[card].special == special)
        return mine + sum((self.built[card, t] for card in self.cards if CARDS[card].special == special), start=0)

    def _add_limits(self) -> None:
        """Archive room and the negators (rules: "Upgrades")."""
        model = self.model
        for step in self.steps:
            files = self.done(step, self._deeds("file"))
            archive = sum((self.archived[card, step] for card in self.cards), start=0)
            limit = self.with_built(step, self.start_board.archive_limit, "archive")
            if not isinstance(files, int):
                filing = self._bool(f"{step} files")
                model.add(filing == files)
                if "archive" not in self.relaxed:
                    model.add(archive + 1 <= limit).only_enforce_if(filing)
                model.add(self.special(step, "no-file") == 0).only_enforce_if(filing)
            researches = self.done(step, self._deeds("research"))
            if not isinstance(researches, int):
                searching = self._bool(f"{step} researches")
                model.add(searching == researches)
                model.add(self.special(step, "no-research") == 0).only_enforce_if(searching)

    # -- marbles ------------------------------------------------------------------------------------------------------

    def _add_marbles(self) -> None:
        """Ring and row; `ring` after payments is tied in `_add_payments`."""
        scope, model = self.scope, self.model
        position = scope.position
        most = max(self.start_board.ring_limit, scope.player.marbles) + sum(CARDS[card].storage for card in self.cards)
        self.ring = {(c, t): model.new_int_var(0, most, f"{t} ring {c.letter}") for c in COLORS for t in self.times}
        self.picks: list[Count] = [0]
        for color in COLORS:
            if not self.open:
                model.add(self.ring[color, 0] == scope.player.ring[color])
        if self.open:
            model.add(self.marbles(0) <= self.start_board.ring_limit)
        entered = [
            [sum(1 for each in position.next[:k] if each == color) for k in range(len(position.next) + 1)]
            for color in COLORS
        ]
        for step in self.steps:
            self.picks.append(self.picks[-1] + self.done(step, self._deeds("pick")))
            gains = self.done(step, self._deeds("pick")) + self.done(step, self._deeds("draw"))
            if not isinstance(gains, int):
                gaining = self._bool(f"{step} gains")
                model.add(gaining == gains)
                if "ring" not in self.relaxed:
                    model.add(self.marbles(step) + 1 <= self.ring_limit(step)).only_enforce_if(gaining)
            for color in COLORS:
                wanted = self._deeds("pick", color=color)
                picked = self.done(step, wanted)
                if isinstance(picked, int) or self.open:
                    continue
                count = len(position.next)
                arrived = model.new_int_var(0, count, f"{step} arrived")
                model.add(arrived <= self.picks[step])
                amount = model.new_int_var(0, count, f"{step} arrived {color.letter}")
                model.add_element(arrived, entered[color], amount)
                before = sum((self.done(s, wanted) for s in range(step)), start=0)
                model.add(position.row[color] + amount - before >= picked)
        if any(deed.verb == "draw" for deed in scope.deeds):
            self._add_draws()

    def marbles(self, t: int) -> Count:
        """How many marbles the ring holds before step `t`."""
        return sum((self.ring[color, t] for color in COLORS), start=0)

    def dispenser(self, t: int) -> list[Count]:
        """Marbles in the dispenser before step `t`, by colour, as long as no unknown marble has left it."""
        position = self.scope.position
        others = [player for seat, player in enumerate(position.players) if seat != position.to_move]
        left: list[Count] = []
        for color in COLORS:
            picked = sum((self.done(s, self._deeds("pick", color=color)) for s in range(t)), start=0)
            hidden = position.row[color] + sum(1 for each in position.next if each == color)
            outside = hidden + sum(player.ring[color] for player in others)
            left.append(MARBLES_PER_COLOR - outside + picked - self.ring[color, t])
        return left

    def blurred(self, t: int) -> Count:
        """At least 1 if an unknown marble may have left the dispenser before step `t`, else 0 or less."""
        position = self.scope.position
        return self.picks[t] - max(0, len(position.next) - position.preview)

    def _add_draws(self) -> None:
        """A draw whose colour is certain: the dispenser holds one colour only."""
        for step in self.steps:
            left = self.dispenser(step)
            for color in COLORS:
                draws = self.done(step, self._deeds("draw", color=color))
                drawing = self._bool(f"{step} draws {color.letter}")
                self.model.add(drawing == draws)
                self.model.add(left[color] >= 1).only_enforce_if(drawing)
                self.model.add(self.blurred(step) <= 0).only_enforce_if(drawing)
                for other in COLORS:
                    if other != color:
                        self.model.add(left[other] == 0).only_enforce_if(drawing)

    # -- payments -----------------------------------------------------------------------------------------------------

    def _add_payments(self) -> None:
        """Marbles leave the ring for paid builds (rules: "Paying")."""
        scope, model = self.scope, self.model
        converters = [gizmo for gizmo in (*scope.player.built, *self.cards) if CARDS[gizmo].area == "converter"]
        converters = [gizmo for gizmo in converters if gizmo not in scope.position.turn.used]
        self.payment: dict[int, Payment] = {}
        for step in self.steps:
            paid_builds = [deed for deed in scope.deeds if deed.paid and self._may_pay(step, deed)]
            for deed in scope.deeds:
                if deed.paid and deed not in paid_builds:
                    model.add(self.does[step, deed] == 0)
            spend: list[Count] = [0] * len(COLORS)
            if paid_builds and "payment" not in self.relaxed:
                most = max(CARDS[deed.card].cost for deed in paid_builds)
                payment = add_payment(model, f"{step} pay", tuple(converters), most)
                self.payment[step] = payment
                spend = list(payment.spend)
                self._price(step, paid_builds, payment)
                for gizmo in converters:
                    if gizmo not in scope.player.built:
                        model.add(payment.used[gizmo] <= self.built[gizmo, step])
            for color in COLORS:
                gained = self.done(step, self._deeds("pick", color=color)) + self.done(
                    step, self._deeds("draw", color=color)
                )
                model.add(spend[color] <= self.ring[color, step])
                model.add(self.ring[color, step + 1] == self.ring[color, step] - spend[color] + gained)
        for gizmo in converters:
            model.add(sum((payment.used[gizmo] for payment in self.payment.values()), start=0) <= 1)

    def _may_pay(self, step: int, deed: Deed) -> bool:
        """Main builds come first; a build out of a research right after it."""
        turn = self.scope.position.turn
        if not _decides(deed):
            return step == 0 and self.scope.main
        if self.scope.effects("research"):
            return True
        return step == (1 if self.scope.main else 0) and (self.scope.main or turn.research is not None)

    def _price(self, step: int, deeds: list[Deed], payment: Payment) -> None:
        """What is paid: the card's colour, at most its cost, at least that less all discounts that apply."""
        model = self.model
        paid = sum(payment.paid)
        paying = self.done(step, deeds)
        model.add(paid <= 7 * paying)
        for used in payment.used.values():
            model.add(used <= paying)
        for deed in deeds:
            card = CARDS[deed.card]
            does = self.does[step, deed]
            discount: Count = 0
            if card.level == 2:
                discount += self.special(step, "discount-level-2")
            if deed.place == "archive":
                discount += self.special(step, "discount-from-archive")
            elif deed.place == "research":
                discount += self.special(step, "discount-from-research")
            model.add(paid <= card.cost).only_enforce_if(does)
            model.add(paid + discount >= card.cost).only_enforce_if(does)
            for color in COLORS:
                if color not in card.colors:
                    model.add(payment.paid[color] == 0).only_enforce_if(does)

    # -- triggers -----------------------------------------------------------------------------------------------------

    def _add_triggers(self) -> None:
        """A gizmo is triggered by an event that comes after it was built, and used once, later (rules: "Triggers")."""
        scope, model = self.scope, self.model
        turn = scope.position.turn
        waiting = {*turn.triggered, *((turn.pending.gizmo,) if turn.pending is not None else ())}
        self.triggered = {(g, t): self._bool(f"{t} {g} triggered") for g in scope.reached for t in self.times}
        for gizmo in sorted(scope.reached):
            model.add(self.triggered[gizmo, 0] == int(gizmo in waiting))
            events = [deed for deed in scope.deeds if heard_by(CARDS[gizmo], deed)]
            for step in self.steps:
                now, then = self.triggered[gizmo, step], self.triggered[gizmo, step + 1]
                event = self._bool(f"{step} {gizmo} hears")
                heard = self.done(step, events)
                if (gizmo, step) in self.built and gizmo not in scope.player.built:
                    model.add(event <= heard)
                    model.add(event <= self.built[gizmo, step])
                    model.add(event >= heard + self.built[gizmo, step] - 1)
                else:
                    model.add(event == heard)
                model.add_bool_or(~then, now, event)
                model.add_implication(now, then)
                model.add_implication(event, then)
                uses = self.done(step, [deed for deed in scope.deeds if deed.gizmo == gizmo and not deed.go_on])
                model.add(uses <= now)

    @property
    def end(self) -> int:
        """The time after the last step."""
        return self.scope.horizon


def _decides(deed: Deed) -> bool:
    """True for what a research leads to."""
    return deed.verb == "pass" or deed.place == "research"


def _takes_display(deed: Deed, level: Level) -> bool:
    return deed.verb in ("file", "build") and deed.place == "display" and CARDS[deed.card].level == level
