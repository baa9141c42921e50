#include "moves.hpp"

#include <algorithm>
#include <stdexcept>

#include "cards.hpp"

namespace gizmos {

void Moves::owe(State& state, std::uint8_t kind, int count) {
    if (state.owed_runs == state.owed_kind.size()) {
        throw std::length_error("more kinds of reveals owed at once than the kernel keeps");
    }
    state.owed_kind[state.owed_runs] = kind;
    state.owed_count[state.owed_runs] = static_cast<std::uint8_t>(count);
    ++state.owed_runs;
}

void Moves::owe_first(State& state, std::uint8_t kind) {
    State later = state;
    state.owed_runs = 0;
    state.owed_kind = state.owed_count = {};
    owe(state, kind, 1);
    for (std::size_t i = 0; i < later.owed_runs; ++i) {
        owe(state, later.owed_kind[i], later.owed_count[i]);
    }
}

void Moves::pay_owed(State& state) {
    if (--state.owed_count[0] > 0) {
        return;
    }
    --state.owed_runs;
    for (std::size_t i = 0; i < state.owed_runs; ++i) {
        state.owed_kind[i] = state.owed_kind[i + 1];
        state.owed_count[i] = state.owed_count[i + 1];
    }
    state.owed_kind[state.owed_runs] = state.owed_count[state.owed_runs] = 0;
}

void Moves::trigger(State& state, Bits listeners) const {
    const Bits hit = state.ready & listeners;
    state.ready &= ~hit;
    for (const int gizmo : each(hit)) {
        ++state.waiting[static_cast<std::size_t>(cards().kind_of(gizmo))];
    }
}

void Moves::effect_done(State& state) {
    state.pending = Effect::none;
    state.pending_left = state.pending_started = 0;
}

void Moves::step_done(State& state) {
    if (state.pending_left <= 1) {
        effect_done(state);
    } else {
        --state.pending_left;
        state.pending_started = 1;
    }
}

void Moves::begin(State& state, int kind, Gain& gain) const {
    const Kind& effect = cards().kind(kind);
    --state.waiting[static_cast<std::size_t>(kind)];
    state.pending = effect.effect;
    state.pending_left = static_cast<std::uint8_t>(effect.amount);
    ++gain.activations;
}

void Moves::pick(State& state, int color) const {
    state.acted = 1;
    state.row -= Marbles::one(color);
    state.ring += Marbles::one(color);
    trigger(state, cards().on_pick(color));
    step_done(state);
    owe(state, owed::row, 1);
}

void Moves::draw(State& state) const {
    step_done(state);
    owe(state, owed::draw, 1);
}

void Moves::take_points(State& state, int amount, Gain& gain) const {
    const int worth = amount * (1 + state.points_per_token);
    state.tokens = static_cast<std::uint16_t>(state.tokens + amount);
    gain.score += worth;
    if (problem_.needs.gain) {
        state.gain = static_cast<std::int16_t>(state.gain + worth);
    }
    effect_done(state);
}

void Moves::take_displayed(State& state, int level) const {
    --state.shown[static_cast<std::size_t>(level - 1)];
    if (problem_.deck_size(state, level) > 0) {
        owe(state, static_cast<std::uint8_t>(owed::refill + level), 1);
    }
}

void Moves::file(State& state, int card, Source source) const {
    state.acted = 1;
    effect_done(state);
    trigger(state, cards().on_file());
    --state.archive_space;
    state.archive.add(card);
    if (source == Source::display) {
        state.display.remove(card);
        take_displayed(state, cards()[card].level);
    } else {
        state.seen.remove(card);
    }
}

void Moves::file_any(State& state, int level) const {
    state.acted = 1;
    effect_done(state);
    trigger(state, cards().on_file());
    --state.archive_space;
    take_displayed(state, level);
}

void Moves::file_unseen(State& state) const {
    trigger(state, cards().on_file());
    --state.archive_space;
    --state.below[static_cast<std::size_t>(state.research_level - 1)];
}

void Moves::build(State& state, int card, Source source, const Payment& payment, Gain& gain) const {
    const Card& built = cards()[card];
    state.acted = 1;
    effect_done(state);
    state.ring -= payment.spend;
    state.dispenser += payment.spend;
    state.ready &= ~payment.converters;
    gain.activations += payment.converters.count();
    ++gain.gizmos;

    Bits listeners = cards().on_build(built.colors);
    if (source == Source::archive) {
        listeners |= cards().on_build_from_archive();
    }
    if (built.level == 2) {
        listeners |= cards().on_build_level_2();
    }
    trigger(state, listeners);
    if (built.trigger != Trigger::none || built.convert_to != Conversion::none) {
        state.ready.add(card);
    }

    int worth = built.points;
    if (state.ring_limit != NO_LIMIT) {
        state.ring_limit = static_cast<std::uint8_t>(state.ring_limit + built.storage);
    }
    state.archive_space = static_cast<std::int8_t>(state.archive_space + built.archive);
    state.research_amount = static_cast<std::uint8_t>(state.research_amount + built.research);
    switch (built.special) {
        case Special::none:
            break;
        case Special::no_file:
            state.can_file = 0;
            break;
        case Special::no_research:
            state.can_research = 0;
            break;
        case Special::discount_level_2:
            ++state.discount_level_2;
            break;
        case Special::discount_from_archive:
            ++state.discount_from_archive;
            break;
        case Special::discount_from_research:
            ++state.discount_from_research;
            break;
        case Special::points_per_energy:
            ++state.points_per_energy;
            break;
        case Special::points_per_token:
            ++state.points_per_token;
            worth += state.tokens;
            break;
    }
    gain.score += worth;
    const Needs& needs = problem_.needs;
    if (needs.gain) {
        state.gain = static_cast<std::int16_t>(state.gain + worth);
    }
    if (needs.built) {
        ++state.built;
    }
    if (needs.level_3 && built.level == 3) {
        ++state.level_3;
    }
    for (std::size_t goal = 0; goal < problem_.built_goals.size(); ++goal) {
        if (problem_.built_goals[goal] == card) {
            state.goals = static_cast<std::uint16_t>(state.goals | 1U << goal);
        }
    }

    switch (source) {
        case Source::display:
            state.display.remove(card);
            take_displayed(state, built.level);
            break;
        case Source::archive:
            state.archive.remove(card);
            ++state.archive_space;
            break;
        case Source::research:
            state.seen.remove(card);
            break;
    }
}

void Moves::research(State& state, int level) const {
    state.acted = 1;
    effect_done(state);
    state.research_level = static_cast<std::uint8_t>(level);
    owe(state, static_cast<std::uint8_t>(owed::research + level),
        std::min<int>(state.research_amount, problem_.deck_size(state, level)));
}

void Moves::return_seen(State& state) const {
    const auto at = static_cast<std::size_t>(state.research_level - 1);
    state.below[at] = static_cast<std::uint8_t>(state.below[at] + state.seen.count());
    state.seen = Bits{};
    state.research_level = 0;
}

void Moves::skip(State& state) const { effect_done(state); }

void Moves::end_turn(State& state) const {
    state.acted = 1;
    state.ended = 1;
}

int Moves::least_price(const State& state, const Card& card, Source source) {
    int discount = card.level == 2 ? state.discount_level_2 : 0;
    if (source == Source::archive) {
        discount += state.discount_from_archive;
    } else if (source == Source::research) {
        discount += state.discount_from_research;
    }
    return std::max(0, card.cost - discount);
}

bool Moves::finished(const State& state) {
    if (state.ended != 0) {
        return true;
    }
    if (state.acted == 0 || state.pending != Effect::none || state.research_level != 0 || state.owed_runs != 0) {
        return false;
    }
    return std::all_of(state.waiting.begin(), state.waiting.end(), [](std::uint8_t count) { return count == 0; });
}

}  // namespace gizmos
