#include "games_rules.hpp"

#include <algorithm>

namespace gizmos::games {

void Player::build(int card, const Table& table) {
    const Facts& facts = table.card(card);
    built.add(card);
    points += facts.points;
    ring_limit = static_cast<std::uint8_t>(ring_limit + facts.storage);
    archive_limit = static_cast<std::uint8_t>(archive_limit + facts.archive);
    research = static_cast<std::uint8_t>(research + facts.research);
    if (facts.level == deck_levels) ++level_3;
    if (facts.converter != no_converter) converters |= std::uint32_t{1} << facts.converter;
    switch (facts.special) {
        case Special::none: break;
        case Special::no_file: no_file = true; break;
        case Special::no_research: no_research = true; break;
        case Special::discount_level_2: ++discount_level_2; break;
        case Special::discount_from_archive: ++discount_from_archive; break;
        case Special::discount_from_research: ++discount_from_research; break;
        case Special::points_per_energy: ++points_per_energy; break;
        case Special::points_per_token: ++points_per_token; break;
    }
}

// ------------------------------------------------------------------------------------------------------ legal actions

void Rules::legal(const Position& position, Actions& actions) {
    actions.clear();
    const Turn& turn = position.turn;
    if (!position.awaited.empty() || position.is_over()) return;
    if (turn.research_level != 0) {
        files(position.player(), turn.seen, Source::research, no_card, actions);
        builds(position, turn.seen, Source::research, actions);
        actions.push_back({.kind = ActionKind::pass});
    } else if (turn.pending != no_card) {
        effect(position, turn.pending, actions);
        if (actions.empty() || turn.done != 0) actions.push_back({.kind = ActionKind::skip});
    } else if (turn.acted) {
        visit_each(turn.triggered, [&](int gizmo) { effect(position, static_cast<CardIndex>(gizmo), actions); });
        actions.push_back({.kind = ActionKind::end_turn});
    } else {
        main_actions(position, actions);
        if (actions.empty()) actions.push_back({.kind = ActionKind::pass});
    }
}

void Rules::main_actions(const Position& position, Actions& actions) {
    picks(position, no_card, actions);
    files(position.player(), position.display, Source::display, no_card, actions);
    builds(position, position.display, Source::display, actions);
    builds(position, position.player().archive, Source::archive, actions);
    researches(position, no_card, actions);
}

void Rules::effect(const Position& position, CardIndex gizmo, Actions& actions) {
    switch (table_.card(gizmo).effect) {
        case Effect::none: break;
        case Effect::pick: picks(position, gizmo, actions); break;
        case Effect::draw:
            if (position.player().room() > 0 && position.dispenser.packed != 0) {
                actions.push_back({.kind = ActionKind::draw, .gizmo = gizmo});
            }
            break;
        case Effect::file: files(position.player(), position.display, Source::display, gizmo, actions); break;
        case Effect::research: researches(position, gizmo, actions); break;
        case Effect::points: actions.push_back({.kind = ActionKind::points, .gizmo = gizmo}); break;
        case Effect::free_build: free_builds(position, gizmo, actions); break;
    }
}

void Rules::picks(const Position& position, CardIndex gizmo, Actions& actions) const {
    if (position.player().room() <= 0) return;
    for (int color = 0; color < COLORS; ++color) {
        if (position.row[color] == 0) continue;
        actions.push_back({.kind = ActionKind::pick, .value = static_cast<std::uint8_t>(color), .gizmo = gizmo});
    }
}

void Rules::files(const Player& player, Bits cards, Source source, CardIndex gizmo, Actions& actions) const {
    if (!player.can_file()) return;
    visit_each(cards, [&](int card) {
        actions.push_back(
            {.kind = ActionKind::file, .value = static_cast<std::uint8_t>(card), .source = source, .gizmo = gizmo});
    });
}

void Rules::builds(const Position& position, Bits cards, Source source, Actions& actions) {
    const Player& player = position.player();
    const std::uint32_t converters = player.converters & ~position.turn.used_converters;
    const int discount = source == Source::archive    ? player.discount_from_archive
                         : source == Source::research ? player.discount_from_research
                                                      : 0;
    visit_each(cards, [&](int card) {
        const Facts& facts = table_.card(card);
        const int off = discount + (facts.level == 2 ? player.discount_level_2 : 0);
        const int low = std::max(0, facts.cost - off);
        payments_.each(facts.paid, low, facts.cost, player.ring, converters, [&](const Payment& payment) {
            actions.push_back({.kind = ActionKind::build,
                               .value = static_cast<std::uint8_t>(card),
                               .source = source,
                               .gizmo = no_card,
                               .spend = payment.spend,
                               .converters = payment.converters});
        });
    });
}

void Rules::researches(const Position& position, CardIndex gizmo, Actions& actions) const {
    if (position.player().no_research) return;
    for (int level = 1; level <= deck_levels; ++level) {
        if (position.deck(level).size == 0) continue;
        actions.push_back({.kind = ActionKind::research, .value = static_cast<std::uint8_t>(level), .gizmo = gizmo});
    }
}

void Rules::free_builds(const Position& position, CardIndex gizmo, Actions& actions) const {
    const auto offer = [&](Bits cards, Source source) {
        visit_each(cards, [&](int card) {
            actions.push_back(
                {.kind = ActionKind::build, .value = static_cast<std::uint8_t>(card), .source = source, .gizmo = gizmo});
        });
    };
    offer(position.display & table_.level(1), Source::display);
    offer(position.player().archive & table_.level(1), Source::archive);
}

// ----------------------------------------------------------------------------------------------- what an action does

void Rules::apply(Position& position, const Action& action) const {
    Turn& turn = position.turn;
    if (action.gizmo != no_card && turn.pending == no_card) {
        turn.triggered.remove(action.gizmo);
        turn.used.add(action.gizmo);
        turn.pending = action.gizmo;
        turn.done = 0;
    } else {
        turn.acted = true;
    }
    switch (action.kind) {
        case ActionKind::pick: pick(position, action.value); break;
        case ActionKind::file: file(position, action); break;
        case ActionKind::build: build(position, action); break;
        case ActionKind::research: research(position, action.value); break;
        case ActionKind::draw:
            step_done(position);
            position.awaited.push_front({RevealKind::draw, 0, 1});
            break;
        case ActionKind::points:
            position.player().tokens += table_.card(action.gizmo).amount;
            turn.pending = no_card;
            break;
        case ActionKind::skip: turn.pending = no_card; break;
        case ActionKind::pass: return_cards(position, turn.seen); break;
        case ActionKind::end_turn: turn.triggered = {}; break;
    }
    settle(position);
}

void Rules::pick(Position& position, int color) const {
    position.row -= Marbles::one(color);
    position.player().ring += Marbles::one(color);
    trigger(position, table_.on_pick(color));
    step_done(position);
    position.awaited.push_front({RevealKind::row, 0, 1});
}

void Rules::file(Position& position, const Action& action) const {
    position.player().archive.add(action.value);
    position.turn.pending = no_card;
    trigger(position, table_.on_file());
    take(position, action.value, action.source);
}

void Rules::build(Position& position, const Action& action) const {
    const Facts& facts = table_.card(action.value);
    Bits listeners = table_.on_build(facts.paid);
    if (action.source == Source::archive) listeners = listeners | table_.on_build_from_archive();
    if (facts.level == 2) listeners = listeners | table_.on_build_level_2();
    // Triggered before the card is built, which does not trigger itself.
    trigger(position, listeners);
    Player& player = position.player();
    player.ring -= action.spend;
    position.dispenser += action.spend;
    if (action.source == Source::archive) player.archive.remove(action.value);
    player.build(action.value, table_);
    position.last_round = position.last_round || player.ends_game();
    position.turn.pending = no_card;
    position.turn.used_converters |= action.converters;
    for (std::uint32_t rest = action.converters; rest != 0; rest &= rest - 1) {
        position.turn.used.add(table_.converters()[static_cast<std::size_t>(std::countr_zero(rest))].card);
    }
    take(position, action.value, action.source);
}

void Rules::research(Position& position, int level) const {
    position.turn.pending = no_card;
    position.turn.research_level = static_cast<std::uint8_t>(level);
    position.turn.seen = {};
    const std::uint8_t amount = std::min(position.player().research, position.deck(level).size);
    position.awaited.push_front({RevealKind::research, static_cast<std::uint8_t>(level), amount});
}

// Takes a card from where it lay: the display is refilled, the rest of a research goes to the bottom.
void Rules::take(Position& position, int card, Source source) const {
    if (source == Source::display) {
        const std::uint8_t level = table_.card(card).level;
        position.display.remove(card);
        if (position.deck(level).size > 0) position.awaited.push_front({RevealKind::refill, level, 1});
    } else if (position.turn.research_level != 0) {
        Bits rest = position.turn.seen;
        rest.remove(card);
        return_cards(position, rest);
    }
}

void Rules::return_cards(Position& position, Bits cards) const {
    if (position.turn.research_level == 0) return;
    Deck& deck = position.deck(position.turn.research_level);
    visit_each(cards, [&](int card) { deck.put_under(card); });
    if (position.turn.seen_unknown > 0) {
        // Cards that nobody wrote down lie somewhere among the lowest: what was known of the bottom is known no longer.
        for (int place = 0; place < deck.known_bottom(); ++place) {
            position.unseen.add(deck.known(deck.known_top() + place));
        }
        deck.forget_bottom();
        deck.size = static_cast<std::uint8_t>(deck.size + position.turn.seen_unknown);
        position.turn.seen_unknown = 0;
    }
    position.turn.research_level = 0;
    position.turn.seen = {};
}

void Rules::trigger(Position& position, Bits listeners) const {
    Turn& turn = position.turn;
    turn.triggered = turn.triggered | ((listeners & position.player().built) & ~turn.used);
}

// Counts one pick or draw of the pending effect; after the last one the effect is done.
void Rules::step_done(Position& position) const {
    Turn& turn = position.turn;
    if (turn.pending == no_card) return;
    if (++turn.done == table_.card(turn.pending).amount) turn.pending = no_card;
}

// -------------------------------------------------------------------------------------------------------------- nature

int Outcomes::at(int share) const {
    if (are_cards()) return nth_card(cards, share);
    int color = 0;
    while (share >= marbles[color]) share -= marbles[color++];
    return color;
}

Outcomes Rules::outcomes(const Position& position) const {
    const Awaited& awaited = position.awaited.front();
    Outcomes result;
    result.kind = awaited.kind;
    if (result.are_cards()) {
        const Deck& deck = position.deck(awaited.level);
        if (deck.known_top() > 0) {
            result.cards.add(deck.known(0));
        } else if (deck.unknown() > 0) {
            result.cards = position.unseen & table_.level(awaited.level);
        } else if (deck.known_bottom() > 0) {
            result.cards.add(deck.known(0));
        }
        result.count = result.total = result.cards.count();
        return result;
    }
    const bool known = awaited.kind == RevealKind::row && position.next.size() > 0;
    result.marbles = known ? Marbles::one(position.next.front()) : position.dispenser;
    result.count = std::popcount(colors_of(result.marbles));
    result.total = result.marbles.total();
    return result;
}

void Rules::reveal(Position& position, int outcome) const {
    const Awaited awaited = position.awaited.front();
    carry_out_reveal(position, awaited, outcome);
    settle(position);
}

void Rules::settle(Position& position) const {
    while (!position.awaited.empty()) {
        const Outcomes possible = outcomes(position);
        if (possible.count > 1) return;
        const Awaited awaited = position.awaited.front();
        if (possible.count == 0) {
            position.awaited.pop();
        } else {
            carry_out_reveal(position, awaited, possible.at(0));
        }
    }
    const Turn& turn = position.turn;
    if (turn.acted && !turn.triggered.any() && turn.pending == no_card && turn.research_level == 0) {
        position.to_move = static_cast<std::uint8_t>((position.to_move + 1) % position.player_count);
        position.turn = Turn{};
    }
}

void Rules::carry_out_reveal(Position& position, const Awaited& awaited, int outcome) const {
    position.awaited.pop();
    switch (awaited.kind) {
        case RevealKind::row:
            position.row += Marbles::one(outcome);
            if (position.next.size() > 0) {
                position.next.pop();
            } else {
                position.dispenser -= Marbles::one(outcome);
            }
            if (position.next.size() < position.preview) {
                const int missing = position.preview - position.next.size();
                position.awaited.push_front({RevealKind::next, 0, static_cast<std::uint8_t>(missing)});
            }
            break;
        case RevealKind::next:
            position.next.push(outcome);
            position.dispenser -= Marbles::one(outcome);
            break;
        case RevealKind::draw:
            position.player().ring += Marbles::one(outcome);
            position.dispenser -= Marbles::one(outcome);
            break;
        case RevealKind::refill:
        case RevealKind::research:
            position.deck(awaited.level).draw();
            position.unseen.remove(outcome);
            if (awaited.kind == RevealKind::research && position.turn.research_level != 0) {
                position.turn.seen.add(outcome);
            } else {
                position.display.add(outcome);
            }
            break;
    }
}

}  // namespace gizmos::games
