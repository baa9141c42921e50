// Bounds on what a collection is worth, without a reveal of the row.
//
// Let j be the draws and p the picks that fit into the ring if every pick is used. For an upper bound each pick finds
// whatever colour is wanted, after all draws. No policy has more: its draws beyond j take the place of picks, and the
// first j draws are distributed alike whenever they are made, since no marble is put back before the research
// (Kallenberg, "Spreading and predictable sampling in exchangeable sequences and processes", 1988). For a lower bound the
// picks take marbles that lie in the row now. As rows hold most colours, the two mostly meet.
//
// Marbles left for later pay nothing but count at the end, if they count at all (`counted` in relax.cpp).
#include <algorithm>
#include <bit>
#include <memory>

#include "collection.hpp"
#include "offers.hpp"
#include "relax.hpp"

namespace gizmos {

// What the research is worth with a ring, and with what comes later.
template <int Terms>
Value<Terms> Search<Terms>::research_with(Marbles ring, const Later& later, const Collection& all) {
    const Signature key = mixed(all.context, ring.packed, later.packed());
    if (const Worths* known = worths_.find(key)) {
        return *known;
    }
    if (all.offers != nullptr) {
        return worths_.put(key, best_offer(*all.offers, ring, later.marbles));
    }
    State base = all.base;
    for (unsigned left = later.listening; left != 0; left &= left - 1) {
        base.ready.add(movers().card(std::countr_zero(left)));
    }
    const std::shared_ptr<const Offers> known = offers(counted(base, later.row_colors, later.picks), all.most);
    return worths_.put(key, best_offer(*known, ring, later.marbles));
}

// The most that the research can be worth after so many picks of whatever colours are best.
template <int Terms>
Value<Terms> Search<Terms>::with_picks(Marbles ring, int picks, const Later& later, const Collection& all) {
    if (picks == 0) {
        return research_with(ring, later, all);
    }
    const Signature key =
        mixed(all.context, std::uint64_t{static_cast<unsigned>(picks)} << 32U | ring.packed, later.packed());
    if (const Worths* known = worths_.find(key)) {
        return *known;
    }
    Worths best = nothing();
    for (int color = 0; color < COLORS; ++color) {
        improve<Terms>(best, with_picks(ring + Marbles::one(color), picks - 1, later, all));
    }
    return worths_.put(key, best);
}

// The same, of colours that lie in the row, from the given one on. `most` is what it can be worth at most.
template <int Terms>
Value<Terms> Search<Terms>::with_row(Marbles ring, Marbles row, int from, int picks, const Later& later,
                                     const Worths& most, const Collection& all) {
    if (picks == 0) {
        Later then = later;
        then.row_colors &= row.colors();
        return research_with(ring, then, all);
    }
    Worths best = nothing();
    for (int color = from; color < COLORS && better<Terms>(most, best); ++color) {
        if (row[color] > 0) {
            Later then = later;
            if (all.counting) {
                const unsigned hit = later.listening & movers().on_pick(color);
                then.listening &= ~hit;
                then.marbles += std::popcount(hit);
            }
            improve<Terms>(best, with_row(ring + Marbles::one(color), row - Marbles::one(color), color, picks - 1, then,
                                          most, all));
        }
    }
    return best;
}

template <int Terms>
Value<Terms> Search<Terms>::most_gathered(const Stock& stock, const Collection& all) {
    if (stock.picks() == 1 && stock.draws() == 0 && stock.listening != 0 && stock.room() > 0) {
        return most_of_pick(stock, all);
    }
    const int there = stock.dispenser.total();
    const int triggered = stock.picks() > 0 ? std::popcount(stock.listening) : 0;
    const int room = std::max(0, stock.room());
    int picks = std::min(stock.picks(), room);
    int draws = std::min({there == 0 ? 0 : stock.draws() + triggered, room - picks});
    const int all_in_all = stock.picks() + stock.draws() + triggered;
    if (there > 0 && there <= all_in_all + 2) {
        // So few marbles are left that the row may take those a draw would find.
        picks += draws;
        draws = 0;
    }
    Later later = most_later(stock, all);
    later.marbles = all.counting ? later.marbles - picks - draws : 0;
    return over_draws(stock.dispenser, draws, [&](Marbles drawn) {
        return with_picks(stock.ring + drawn, picks, later, all);
    });
}

// Nothing but a pick is left, of whatever colour is best. What it triggers comes after it. (Of two picks the second may
// depend on what entered the row after the first, as that tells what draws will find.)
template <int Terms>
Value<Terms> Search<Terms>::most_of_pick(const Stock& stock, const Collection& all) {
    Worths best = stock.pending == 0 || stock.started != 0 ? most_left(stock, all) : nothing();
    Stock begun = stock;
    for (int mover = 0; mover < movers().count() && begun.pending == 0; ++mover) {
        if (movers().picks(mover) && stock.waiting[static_cast<std::size_t>(mover)] > 0) {
            begun.begin(mover);
        }
    }
    for (int color = 0; color < COLORS; ++color) {
        Stock next = begun;
        next.row += Marbles::one(color);
        next.pick(color);
        next.end_in_vain();
        improve<Terms>(best, most_gathered(next, all));
    }
    return best;
}

// The most that it can be worth to begin the research now.
template <int Terms>
Value<Terms> Search<Terms>::most_left(const Stock& stock, const Collection& all) {
    return research_with(stock.ring, most_later(stock, all), all);
}

// All marbles that can come, and all that can be triggered by picks after the research.
template <int Terms>
typename Search<Terms>::Later Search<Terms>::most_later(const Stock& stock, const Collection& all) const {
    Later later;
    if (all.counting) {
        later.marbles = stock.picks() + stock.draws() + (stock.picks() > 0 ? std::popcount(stock.listening) : 0);
    }
    if (all.hears(stock)) {
        later.picks = std::min(stock.picks(), COLORS);
        later.row_colors = ANY_COLOR;
        later.listening = stock.picks() > 0 ? 0U : stock.listening;
    }
    return later;
}

// Draws first, then picks of marbles that lie in the row now. Where marbles left for later count, no effect is used in
// part, as what is left of it would be lost; but one that is under way.
template <int Terms>
Value<Terms> Search<Terms>::least_gathered(const Stock& stock, const Collection& all) {
    const int room = std::max(0, stock.room());
    if (stock.pending == 0 && stock.draws() == 0 && stock.listening != 0 && room > 0) {
        // What picks trigger comes in time if they come first.
        Worths best = nothing();
        for (int mover = 0; mover < movers().count(); ++mover) {
            if (movers().picks(mover) && stock.waiting[static_cast<std::size_t>(mover)] > 0) {
                Stock begun = stock;
                begun.begin(mover);
                improve<Terms>(best, least_gathered(begun, all));
            }
        }
        if (stock.picks() > 0) {
            return best;
        }
    }
    if (stock.picking()) {
        Worths best = nothing();
        for (int color = 0; color < COLORS && room > 0; ++color) {
            if (stock.row[color] > 0) {
                Stock next = stock;
                next.pick(color);
                improve<Terms>(best, least_gathered(next, all));
            }
        }
        return best;
    }
    const int there = stock.dispenser.total();
    const int row = stock.row.total();
    const bool enough = there > stock.picks() + stock.draws() + all.picks_after + all.draws_after + 2 &&
                        (row > 0 || stock.picks() + all.picks_after == 0);
    int picks = 0;
    int draws = 0;
    Later later;
    if (all.counting) {
        if (!enough) {
            return nothing();
        }
        const int forced = std::min<int>(room, stock.left);
        picks = stock.whole_steps(true, std::min(row, room - forced));
        draws = forced + stock.whole_steps(false, room - forced - picks);
        later.marbles = stock.picks() - picks + stock.draws() - (stock.left - forced) - draws;
    } else if (enough || there == 0) {
        const int forced = stock.started != 0 ? 0 : std::min({1, room, there, static_cast<int>(stock.left)});
        picks = std::min({stock.picks(), row, room - forced});
        draws = std::min({stock.draws(), there, room - picks});
    }
    if (all.hears(stock)) {
        later.row_colors = ANY_COLOR;
        later.listening = stock.listening;
        later.picks = stock.picks() - picks;
    }
    return over_draws(stock.dispenser, draws, [&](Marbles drawn) {
        Worths most;
        most.fill(ANYTHING);
        if (!all.counting) {
            most = with_picks(stock.ring + drawn, picks, later, all);
        }
        return with_row(stock.ring + drawn, stock.row, 0, picks, later, most, all);
    });
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
