// Values for many sets of returned cards at once.
//
// Where a research returns cards to a deck so short that they can be seen again, what a way to keep a card is worth depends
// on all the others. But most of what comes until the next research of that deck does not: picks, draws, payments and free
// builds are the same whatever lies there, and the next research takes the best of what it sees. So a way is searched once,
// with many numbers in place of each value (Spread); only researches tell them apart (Returned).
//
// The returned cards lie in an order that the player has chosen. Refills take the uppermost ones, and a deck deeper than a
// research hides the lowest. An upper bound spares the player that choice; an order that reaches it is the best.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "cards.hpp"
#include "choice.hpp"
#include "returned.hpp"
#include "search.hpp"

namespace gizmos {

namespace {

constexpr std::size_t FIRST_AT_ONCE = 64;
constexpr std::size_t MOST_ORDERS = 1000;  // that are tried

// So many of the given numbers, evenly spread.
std::vector<std::size_t> evenly(const std::vector<std::size_t>& all, std::size_t count) {
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < std::min(count, all.size()); ++i) {
        some.push_back(all[i * all.size() / std::min(count, all.size())]);
    }
    return some;
}

// The orders of returned cards that may differ in value, the likeliest to be the best first.
class Orders {
public:
    Orders(const Problem& problem, const State& state, const Closure& can, int level, int cards) : cards_(cards) {
        hidden_ = state.research_amount < problem.deck_size(state, level);
        const int reached = cards_to_see(state, can, level) - problem.tops_left(state, level) -
                            state.unknown[static_cast<std::size_t>(level - 1)];
        taken_ = std::clamp(std::min(reached, places_that_matter(problem, state, can, level)), 0, cards);
        places_ = std::min(taken_, cards - 1);  // the last one has no choice
    }

    [[nodiscard]] bool matter() const { return places_ > 0; }
    // How many cards refills may take before the last research, which sees all others; nothing, if it does not.
    [[nodiscard]] std::optional<int> taken() const { return hidden_ ? std::nullopt : std::optional(taken_); }
    [[nodiscard]] std::size_t count() const {
        std::size_t count = 1;
        for (int place = 0; place < places_; ++place) {
            count *= static_cast<std::size_t>(cards_ - place);
        }
        return count;
    }
    // What a card is worth if it alone was returned.
    void rank(int card, double worth) { worths_[static_cast<std::size_t>(card)] = worth; }

    // Cards that a research is to see come first, or, if it sees all, those that refills may take.
    [[nodiscard]] Order of(Bits cards, std::size_t number) const {
        std::vector<int> left;
        for (const int card : each(cards)) {
            left.push_back(card);
        }
        std::stable_sort(left.begin(), left.end(), [&](int one, int other) {
            const double difference = worths_[static_cast<std::size_t>(one)] - worths_[static_cast<std::size_t>(other)];
            return hidden_ ? difference > 0.0 : difference < 0.0;
        });
        Order order;
        for (std::size_t places = count(); !left.empty();) {
            places = std::max<std::size_t>(1, places / left.size());
            const auto next = left.begin() + static_cast<std::ptrdiff_t>(std::min(number / places, left.size() - 1));
            number %= places;
            order.add(*next);
            left.erase(next);
        }
        return order;
    }

private:
    int cards_;
    int taken_ = 0;
    int places_ = 0;
    bool hidden_ = false;
    std::array<double, MAX_CARDS> worths_{};
};

}  // namespace

template <int Terms>
void Search<Terms>::value_by([[maybe_unused]] Returned* returned, [[maybe_unused]] Search<1>* single) {
    if constexpr (Terms == BY_SET) {
        returned_ = returned;
        single_ = single;
        table_.clear();
        worths_.forget();
    }
}

template <int Terms>
Value<Terms> Search<Terms>::best_by_set([[maybe_unused]] const Alone& alone, [[maybe_unused]] const Drawing& draw) const {
    if constexpr (Terms == BY_SET) {
        if (!alone.floor.single()) {
            throw Inexpressible();
        }
        const double floor = alone.floor.most();
        std::array<double, MAX_CARDS> worths{};
        worths.fill(floor);
        for (const Worth<Terms>& one : alone.worths) {
            if (!one.value.single()) {
                throw Inexpressible();
            }
            for (const int card : each(one.alike)) {
                worths[static_cast<std::size_t>(card)] = std::max(floor, one.value.most());
            }
        }
        return returned_->best_of(worths, floor, {draw.pool, draw.left, draw.by_set, draw.drawn});
    } else {
        throw Inexpressible();
    }
}

// A research that another one may follow: each card is kept in turn, where it is seen.
template <int Terms>
Value<Terms> Search<Terms>::each_by_set([[maybe_unused]] const Drawing& draw, [[maybe_unused]] const Closure& can) {
    if constexpr (Terms == BY_SET) {
        if (draw.drawn > 0 || (!returned_->spared() && draw.by_set < draw.left)) {
            throw Inexpressible();
        }
        const auto at = static_cast<std::size_t>(draw.state.research_level - 1);
        State base = draw.state;
        base.below[at] = static_cast<std::uint8_t>(base.below[at] + draw.by_set);
        Worths best = after_research(base);
        for (const int card : each(draw.certain)) {
            keep(base, can, card, best);
        }
        for (const int card : each(draw.pool)) {
            State seen = base;
            seen.seen.add(card);
            seen.pool.remove(card);
            --seen.below[at];
            std::vector<Action> ways;
            list_ways(seen, can, card, ways);
            for (const Action& way : ways) {
                const Worths worth = plus(after_research(way.next), way.gain);
                if (better<Terms>(worth, best)) {
                    const Seeing seeing{draw.pool, draw.left, draw.by_set, 0};
                    improve<Terms>(best, returned_->where_seen(card, worth, seeing, NOTHING));
                }
            }
        }
        if (can.files > 0) {
            // Those returned again could lie in another order, and refills might take them.
            returned_->leave_out_orders();
        }
        return best;
    } else {
        throw Inexpressible();
    }
}

// One search for many orders. Nothing, if there is no room for so many.
template <int Terms>
std::optional<Spread> Search<Terms>::ask_by_set([[maybe_unused]] const State& state,
                                                [[maybe_unused]] const std::vector<Order>& asked,
                                                [[maybe_unused]] Returned& returned) {
    if constexpr (Terms == 1) {
        if (family_ == nullptr) {
            family_ = std::make_unique<Search<BY_SET>>(problem_, control_, family_table_, room_.beside_table, room_, pulse_.main());
        }
        struct Asking {
            Search& search;
            explicit Asking(Search& asking) : search(asking) { search.asking_ = true; }
            ~Asking() {
                search.family_->value_by(nullptr, nullptr);
                search.asking_ = false;
            }
        } const asking(*this);
        returned.ask_for(asked);
        family_->value_by(&returned, this);
        try {
            return family_->value(state);
        } catch (const TooMany&) {
            return std::nullopt;
        }
    } else {
        throw Inexpressible();
    }
}

// Values of a state for each order in which the cards may lie that a research has returned. Orders that no question tells
// apart share their value, so few are searched. Throws Inexpressible.
template <int Terms>
std::vector<double> Search<Terms>::values_by_set(const State& state, const std::vector<Order>& orders, Returned& returned) {
    std::vector<double> values(orders.size());
    std::vector<std::size_t> open(orders.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    for (std::size_t most = std::min(FIRST_AT_ONCE, at_once_); !open.empty();) {
        // Those that differ as far as is known.
        std::unordered_map<std::uint64_t, std::size_t> different;
        for (const std::size_t i : open) {
            pulse_.beat();
            different.try_emplace(returned.answers(orders[i], true), i);
        }
        std::vector<std::size_t> chosen;
        for (const auto& [answers, i] : different) {
            chosen.push_back(i);
        }
        std::sort(chosen.begin(), chosen.end());
        chosen = evenly(chosen.size() > 1 ? chosen : open, most);
        std::vector<Order> asked;
        for (const std::size_t i : chosen) {
            asked.push_back(orders[i]);
        }
        const std::optional<Spread> worth = ask_by_set(state, asked, returned);
        if (!worth) {
            if (most == 1) {
                throw Inexpressible();
            }
            most = at_once_ = most / 2;
            continue;
        }
        std::unordered_map<std::uint64_t, double> found;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            found[returned.answers(asked[i], false)] = (*worth)[i];
        }
        std::erase_if(open, [&](std::size_t i) {
            pulse_.beat();
            const auto same = found.find(returned.answers(orders[i], false));
            if (same != found.end()) {
                values[i] = same->second;
            }
            return same != found.end();
        });
        most = at_once_;
    }
    return values;
}

// Raises what is known of sets by a way to keep a card.
template <int Terms>
void Search<Terms>::raise_by_set(const Drawing& draw, const Way& way, std::vector<SeenSet>& sets) {
    std::vector<OpenSet> open;
    for (SeenSet& set : sets) {
        if (way.card < 0 || set.cards.has(way.card)) {
            open.push_back({&set, first(way.most)});
        }
    }
    try {
        raise_open(draw, way, open);
    } catch (const Inexpressible&) {
        for (const OpenSet& one : open) {
            improve<Terms>(one.set->best, keep_of_set(draw, way, one.set->cards, one.set->best));
        }
    }
}

// Leaves those open of which the way may be worth more than is known then. Throws Inexpressible if there are such.
template <int Terms>
void Search<Terms>::raise_open(const Drawing& draw, const Way& way, std::vector<OpenSet>& open) {
    const auto close = [&] {
        std::erase_if(open, [](const OpenSet& one) { return one.most <= first(one.set->best) + EQUAL; });
        return open.empty();
    };
    const auto raise = [&](const OpenSet& one, double value) {
        Worths worth;
        worth.fill(value);
        improve<Terms>(one.set->best, worth);
    };
    if (close()) {
        return;
    }
    const int level = draw.state.research_level;
    const double gain = way.kept.gain.score;
    const State state = whatever_returned(way.kept, EXACT, BY_SET_GONE);
    const Bits pool = state.pool & cards().level(level);
    const auto returned_of = [&](const OpenSet& one) {
        return (one.set->cards | way.kept.next.seen) & ~(way.card < 0 ? Bits{} : Bits::of(way.card));
    };
    Orders orders(problem_, state, closure(problem_, state, purse_), level, returned_of(open.front()).count());
    const auto lying = [&](std::size_t number) {
        std::vector<Order> list;
        for (const OpenSet& one : open) {
            list.push_back(orders.of(returned_of(one), number));
        }
        return list;
    };

    Returned spared(pool, true);
    const std::vector<double> most = values_by_set(state, lying(0), spared);
    for (std::size_t i = 0; i < open.size(); ++i) {
        open[i].most = most[i] + gain;
        // Where so many cards make no difference, refills may take those.
        if (orders.taken() && spared.can_miss(orders.of(returned_of(open[i]), 0), *orders.taken())) {
            raise(open[i], open[i].most);
        }
    }
    if (close()) {
        return;
    }
    std::vector<Order> singles;
    for (const int card : each(pool)) {
        singles.emplace_back().add(card);
    }
    const std::vector<double> alone = values_by_set(state, singles, spared);
    for (std::size_t i = 0; i < singles.size(); ++i) {
        orders.rank(singles[i].cards[0], alone[i]);
    }
    Returned ordered(pool, false);
    for (std::size_t number = 0; number < std::min(orders.count(), MOST_ORDERS); ++number) {
        const std::vector<double> values = values_by_set(state, lying(number), ordered);
        for (std::size_t i = 0; i < open.size(); ++i) {
            raise(open[i], values[i] + gain);
        }
        if (close()) {
            return;
        }
    }
    if (ordered.orders_left_out() || orders.count() > MOST_ORDERS) {
        throw Inexpressible();
    }
    open.clear();
}

template class Search<1>;
template class Search<2>;
template class Search<3>;
template class Search<4>;
template class Search<BY_SET>;

}  // namespace gizmos
