// The search runs backwards, from what must be paid to what is spent, as in engine/payments.py: undoing `any` turns a
// paid marble into one of the converter's colour, undoing `double` turns two marbles of a colour into one.
#include "payments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "cards.hpp"

namespace gizmos {

namespace {

constexpr int most_of_a_color = 15;
constexpr std::uint32_t nothing = 0xFFFFFFFFU;

// How many of the marbles the ring does not hold: subtracts colour by colour in one go, and keeps what is above zero.
int beyond(Marbles marbles, Marbles ring) {
    const std::uint32_t difference = (marbles.packed | 0x80808080U) - ring.packed;
    const std::uint32_t positive = difference & 0x80808080U;
    return Marbles{difference & (positive - (positive >> 7))}.total();
}

// Before another payment in the engine's order. As tuples of ascending card numbers compare: at the first difference the
// lower number comes first, unless the other tuple has ended there.
bool before(const Payment& left, const Payment& right) {
    for (int color = 0; color < COLORS; ++color) {
        if (left.spend[color] != right.spend[color]) {
            return left.spend[color] < right.spend[color];
        }
    }
    const Bits only_left = left.converters & ~right.converters;
    const Bits only_right = right.converters & ~left.converters;
    if (!only_left.any() || !only_right.any()) {
        return only_right.any();
    }
    return only_left.first() < only_right.first();
}

// One search at a time; its lists are kept only for their memory, since a search is often over in a microsecond.
class Search {
public:
    std::vector<Payment> run(unsigned colors, int low, int high, Marbles ring, Bits converters) {
        forget();
        set_uses(converters);
        for (int amount = low; amount <= high; ++amount) {
            add_targets(colors, amount, 0, Marbles{});
        }
        // Each undone use takes away one marble of a colour at most, so more marbles beyond the ring than uses left can
        // never be paid.
        int left = static_cast<int>(uses_.size());
        std::erase_if(following_, [&](const State& state) { return beyond(state.marbles, ring) > left; });
        while (!following_.empty()) {
            layer_.swap(following_);
            following_.clear();
            --left;
            for (const State& state : layer_) {
                for (const Use& use : uses_) {
                    if ((state.uses & use.bit) == 0 && (state.uses & use.after) == use.after) {
                        undo(state, use, ring, left);
                    }
                }
            }
        }
        return found(ring);
    }

private:
    // One use of a converter. A second use of the same kind needs the bit `after`.
    struct Use {
        int card;
        unsigned sources;
        bool doubles;
        std::uint64_t bit;
        std::uint64_t after;
    };
    struct State {
        Marbles marbles;
        std::uint64_t uses;
    };
    // Marbles that were reached, and the latest of the sets of uses that led there, a list through `sets_`.
    struct Reached {
        Marbles marbles;
        std::uint32_t latest;
    };
    struct Set {
        std::uint64_t uses;
        std::uint32_t earlier;
    };

    void forget() {
        for (const Reached& each : reached_) {
            slots_[slot_of(each.marbles)] = 0;
        }
        reached_.clear();
        sets_.clear();
        following_.clear();
    }

    void set_uses(Bits converters) {
        uses_.clear();
        for (const int card : each(converters)) {
            const Card& converter = cards()[card];
            if (converter.convert_to == Conversion::twice) {
                for (unsigned source = 1; source <= ANY_COLOR; source <<= 1) {
                    if ((converter.convert_from & source) != 0) {
                        uses_.push_back({card, source, true, std::uint64_t{1} << uses_.size(), 0});
                    }
                }
            } else {
                std::uint64_t after = 0;
                for (int use = 0; use < converter.convert_uses; ++use) {
                    uses_.push_back({card, converter.convert_from, false, std::uint64_t{1} << uses_.size(), after});
                    after = uses_.back().bit;
                }
            }
        }
    }

    void add_targets(unsigned colors, int amount, int from, Marbles paid) {
        if (amount == 0) {
            reach({paid, 0});
            return;
        }
        for (int color = from; color < COLORS; ++color) {
            if ((colors >> color & 1U) != 0) {
                add_targets(colors, amount - 1, color, paid + Marbles::one(color));
            }
        }
    }

    void undo(const State& state, const Use& use, Marbles ring, int left) {
        const auto attempt = [&](Marbles marbles) {
            if (beyond(marbles, ring) <= left) {
                reach({marbles, state.uses | use.bit});
            }
        };
        for (int result = 0; result < COLORS; ++result) {
            if (use.doubles) {
                if (use.sources == 1U << result && state.marbles[result] >= 2) {
                    attempt(state.marbles - Marbles::one(result));
                }
            } else if (state.marbles[result] > 0) {
                for (int source = 0; source < COLORS; ++source) {
                    if ((use.sources >> source & 1U) != 0 && source != result) {
                        attempt(state.marbles - Marbles::one(result) + Marbles::one(source));
                    }
                }
            }
        }
    }

    // Keeps a state unless the same marbles were reached before with a subset of the uses: whatever this leads to, that
    // leads to with fewer converters.
    void reach(const State& state) {
        std::uint16_t& slot = slots_[slot_of(state.marbles)];
        if (slot == 0) {
            reached_.push_back({state.marbles, nothing});
            slot = static_cast<std::uint16_t>(reached_.size());
        }
        Reached& reached = reached_[slot - 1U];
        for (std::uint32_t set = reached.latest; set != nothing; set = sets_[set].earlier) {
            if ((sets_[set].uses & ~state.uses) == 0) {
                return;
            }
        }
        sets_.push_back({state.uses, reached.latest});
        reached.latest = static_cast<std::uint32_t>(sets_.size() - 1);
        following_.push_back(state);
    }

    // No conversion adds to the marbles to be paid, so no search meets more than `most_of_a_color` of any.
    static std::size_t slot_of(Marbles marbles) {
        return static_cast<std::size_t>(marbles[0] | marbles[1] << 4 | marbles[2] << 8 | marbles[3] << 12);
    }

    // What the ring can pay, for each spending only the smallest sets of converters, sorted.
    [[nodiscard]] std::vector<Payment> found(Marbles ring) {
        std::vector<Payment> payments;
        for (const Reached& reached : reached_) {
            if (!ring.contains(reached.marbles)) {
                continue;
            }
            used_.clear();
            for (std::uint32_t set = reached.latest; set != nothing; set = sets_[set].earlier) {
                used_.push_back(converters_of(sets_[set].uses));
            }
            if (used_.size() > 1) {
                std::ranges::sort(used_, {}, &Bits::count);
            }
            const std::size_t first = payments.size();
            for (const Bits converters : used_) {
                const auto contains = [&](const Payment& other) { return !(other.converters & ~converters).any(); };
                if (std::ranges::none_of(std::span(payments).subspan(first), contains)) {
                    payments.push_back({reached.marbles, converters});
                }
            }
        }
        std::ranges::sort(payments, before);
        return payments;
    }

    [[nodiscard]] Bits converters_of(std::uint64_t uses) const {
        Bits converters;
        for (; uses != 0; uses &= uses - 1) {
            converters.add(uses_[static_cast<std::size_t>(std::countr_zero(uses))].card);
        }
        return converters;
    }

    std::vector<Use> uses_;
    std::vector<Reached> reached_;
    std::vector<Set> sets_;
    std::vector<State> layer_;
    std::vector<State> following_;
    std::vector<Bits> used_;
    // By the marbles: the place in `reached_`, counted from 1.
    std::vector<std::uint16_t> slots_ = std::vector<std::uint16_t>(std::size_t{1} << 16);
};

}  // namespace

std::vector<Payment> payments(unsigned colors, int low, int high, Marbles ring, Bits converters) {
    if (high > most_of_a_color) {
        throw std::invalid_argument("the kernel has room for prices up to " + std::to_string(most_of_a_color));
    }
    static thread_local Search search;
    return search.run(colors, low, high, ring, converters);
}

}  // namespace gizmos
