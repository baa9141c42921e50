#include "stock.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace gizmos {

void Movers::read(const CardTable& table) {
    *this = Movers();
    std::array<int, MAX_KINDS> mover{};
    for (int kind = 0; kind < table.kinds(); ++kind) {
        const Kind& what = table.kind(kind);
        if (what.effect != Effect::pick && what.effect != Effect::draw) {
            continue;
        }
        if (count_ == MAX_MOVERS) {
            throw std::length_error("more kinds of picks and draws than the kernel keeps");
        }
        const auto at = static_cast<std::size_t>(count_);
        kinds_[at] = kind;
        picks_[at] = what.effect == Effect::pick;
        amounts_[at] = what.amount;
        mover[static_cast<std::size_t>(kind)] = count_++;
    }
    for (const int card : each(table.on_pick())) {
        if (listener_count_ == MAX_LISTENERS) {
            throw std::length_error("more gizmos that listen to picks than the kernel keeps");
        }
        if (table[card].effect != Effect::draw) {
            throw std::invalid_argument("a gizmo that listens to picks does something else than draw");
        }
        const auto at = static_cast<std::size_t>(listener_count_);
        cards_[at] = card;
        mover_of_[at] = mover[static_cast<std::size_t>(table.kind_of(card))];
        for (int color = 0; color < COLORS; ++color) {
            on_pick_[static_cast<std::size_t>(color)] |= table.on_pick(color).has(card) ? 1U << listener_count_ : 0U;
        }
        ++listener_count_;
    }
}

Stock Stock::of(const State& state) {
    Stock stock;
    stock.ring = state.ring;
    stock.row = state.row;
    stock.dispenser = state.dispenser;
    for (int listener = 0; listener < movers().listeners(); ++listener) {
        stock.listening = static_cast<std::uint16_t>(stock.listening |
                                                     (state.ready.has(movers().card(listener)) ? 1U << listener : 0U));
    }
    for (int mover = 0; mover < movers().count(); ++mover) {
        const auto at = static_cast<std::size_t>(mover);
        const auto kind = static_cast<std::size_t>(movers().kind(mover));
        stock.waiting[at] = state.waiting[kind];
        // Of an effect under way only what is left of it counts, so any kind of that sort will do.
        const Effect effect = movers().picks(mover) ? Effect::pick : Effect::draw;
        if (state.pending == effect && stock.pending == 0) {
            stock.pending = static_cast<std::uint8_t>(1 + mover);
            stock.left = state.pending_left;
            stock.started = state.pending_started;
        }
    }
    stock.next_used = state.next_used;
    stock.next_new = state.next_new;
    stock.limit = state.ring_limit;
    return stock;
}

void Stock::put_into(State& state) const {
    state.ring = ring;
    state.row = row;
    state.dispenser = dispenser;
    for (int listener = 0; listener < movers().listeners(); ++listener) {
        if ((listening >> listener & 1U) != 0) {
            state.ready.add(movers().card(listener));
        } else {
            state.ready.remove(movers().card(listener));
        }
    }
    for (int mover = 0; mover < movers().count(); ++mover) {
        state.waiting[static_cast<std::size_t>(movers().kind(mover))] = waiting[static_cast<std::size_t>(mover)];
    }
    state.pending = pending == 0 ? Effect::none : picking() ? Effect::pick : Effect::draw;
    state.pending_left = left;
    state.pending_started = started;
    state.next_used = next_used;
    state.next_new = next_new;
    state.ring_limit = limit;
}

int Stock::steps(bool of_picks) const {
    int sum = pending != 0 && movers().picks(pending - 1) == of_picks ? left : 0;
    for (int mover = 0; mover < movers().count(); ++mover) {
        sum += movers().picks(mover) == of_picks ? movers().amount(mover) * waiting[static_cast<std::size_t>(mover)] : 0;
    }
    return sum;
}

int Stock::whole_steps(bool of_picks, int most) const {
    // Effects of a sort move one marble or some larger number, so the larger ones go first.
    int sum = 0;
    for (const bool single : {false, true}) {
        for (int mover = 0; mover < movers().count(); ++mover) {
            const int amount = movers().amount(mover);
            if (movers().picks(mover) == of_picks && (amount == 1) == single) {
                sum += amount * std::min<int>(waiting[static_cast<std::size_t>(mover)], (most - sum) / amount);
            }
        }
    }
    return sum;
}

void Stock::step_done() {
    if (left <= 1) {
        skip();
    } else {
        --left;
        started = 1;
    }
}

void Stock::begin(int mover) {
    --waiting[static_cast<std::size_t>(mover)];
    pending = static_cast<std::uint8_t>(1 + mover);
    left = static_cast<std::uint8_t>(movers().amount(mover));
    started = 0;
}

void Stock::skip() { pending = left = started = 0; }

void Stock::end_in_vain() {
    const int most = picking() ? room() : std::min(room(), dispenser.total());
    if (most <= 0) {
        skip();
    } else if (left > most) {
        left = static_cast<std::uint8_t>(most);
    }
}

void Stock::pick(int color) {
    row -= Marbles::one(color);
    ring += Marbles::one(color);
    unsigned hit = listening & movers().on_pick(color);
    listening = static_cast<std::uint16_t>(listening & ~hit);
    for (; hit != 0; hit &= hit - 1) {
        ++waiting[static_cast<std::size_t>(movers().mover_of(std::countr_zero(hit)))];
    }
    step_done();
}

void Stock::drop_draws() {
    for (int mover = 0; mover < movers().count(); ++mover) {
        if (!movers().picks(mover)) {
            waiting[static_cast<std::size_t>(mover)] = 0;
        }
    }
    if (pending != 0 && !picking()) {
        skip();
    }
}

void Stock::forget_row(int draws) {
    row = {static_cast<std::uint32_t>(row.total())};
    listening = 0;
    next_used = next_new = 0;
    if (draws > 0) {
        dispenser = {static_cast<std::uint32_t>(draws)};
    }
}

void Stock::enter_known(const Problem& problem) {
    if (next_used < problem.nexts.size()) {
        row += Marbles::one(problem.nexts[next_used]);
        ++next_used;
    } else {
        row += Marbles::one(next_new - 1);
        next_new = 0;
    }
}

std::array<std::uint64_t, 2> Stock::packed() const {
    std::uint64_t first = 0;
    for (int color = 0; color < COLORS; ++color) {
        first = first << 5U | static_cast<unsigned>(ring[color]);
        first = first << 4U | static_cast<unsigned>(dispenser[color]);
        first = first << 3U | static_cast<unsigned>(row[color]);
    }
    // What kind of effect is under way counts only by its sort.
    first = first << 8U | (pending == 0 ? 0U : picking() ? 1U : 2U) << 4U | static_cast<unsigned>(left) << 1U | started;
    std::uint64_t second = listening;
    for (int mover = 0; mover < movers().count(); ++mover) {
        second = second << 4U | waiting[static_cast<std::size_t>(mover)];
    }
    second = second << 6U | next_used;
    second = second << 3U | next_new;
    return {first, second};
}

}  // namespace gizmos
