// The search runs backwards, from what must be paid to what is spent, as in engine/payments.py: undoing `any` turns a
// paid marble into one of the converter's colour, undoing `double` turns two marbles of a colour into one.
#include "payments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "cards.hpp"

namespace gizmos {

namespace {

// One use of a converter. A second use of the same kind needs the bit `after`.
struct Use {
    int card;
    unsigned sources;
    bool doubles;
    std::uint64_t bit;
    std::uint64_t after;
};

struct Reached {
    Marbles marbles;
    std::uint64_t uses;
};

int beyond(Marbles marbles, Marbles ring) {
    int excess = 0;
    for (int color = 0; color < COLORS; ++color) {
        excess += std::max(0, marbles[color] - ring[color]);
    }
    return excess;
}

std::vector<Use> uses_of(Bits converters) {
    std::vector<Use> uses;
    for (const int card : each(converters)) {
        const Card& converter = cards()[card];
        if (converter.convert_to == Conversion::twice) {
            for (int color = 0; color < COLORS; ++color) {
                if ((converter.convert_from >> color & 1U) != 0) {
                    uses.push_back({card, 1U << color, true, std::uint64_t{1} << uses.size(), 0});
                }
            }
        } else {
            std::uint64_t after = 0;
            for (int use = 0; use < converter.convert_uses; ++use) {
                uses.push_back({card, converter.convert_from, false, std::uint64_t{1} << uses.size(), after});
                after = uses.back().bit;
            }
        }
    }
    return uses;
}

void add_targets(unsigned colors, int amount, int from, Marbles paid, std::vector<Reached>& targets) {
    if (amount == 0) {
        targets.push_back({paid, 0});
        return;
    }
    for (int color = from; color < COLORS; ++color) {
        if ((colors >> color & 1U) != 0) {
            add_targets(colors, amount - 1, color, paid + Marbles::one(color), targets);
        }
    }
}

// What has been reached so far. Few marbles and few uses are met in one call, so lists do better than hashing.
class Frontier {
public:
    // False if the same marbles were reached before with a subset of the uses: whatever this leads to, that leads to
    // with fewer converters.
    bool add(Reached reached) {
        std::vector<Reached>& bucket = buckets_[hash(reached.marbles)];
        for (const Reached& known : bucket) {
            if (known.marbles == reached.marbles && (known.uses & reached.uses) == known.uses) {
                return false;
            }
        }
        bucket.push_back(reached);
        return true;
    }

    template <typename Visit>
    void visit(Visit visit) const {
        for (const auto& bucket : buckets_) {
            for (const Reached& reached : bucket) {
                visit(reached);
            }
        }
    }

private:
    static std::size_t hash(Marbles marbles) { return (marbles.packed * 0x9E3779B1U) >> 26; }
    std::array<std::vector<Reached>, 64> buckets_;
};

// Calls `visit` with the marbles before each way to undo a use.
template <typename Visit>
void undo(const Use& use, Marbles marbles, Visit visit) {
    for (int result = 0; result < COLORS; ++result) {
        if (use.doubles) {
            if (use.sources == 1U << result && marbles[result] >= 2) {
                visit(marbles - Marbles::one(result));
            }
        } else if (marbles[result] > 0) {
            for (int source = 0; source < COLORS; ++source) {
                if ((use.sources >> source & 1U) != 0 && source != result) {
                    visit(marbles - Marbles::one(result) + Marbles::one(source));
                }
            }
        }
    }
}

bool before(const Payment& left, const Payment& right) {
    for (int color = 0; color < COLORS; ++color) {
        if (left.spend[color] != right.spend[color]) {
            return left.spend[color] < right.spend[color];
        }
    }
    // As tuples of ascending card numbers compare: at the first difference the lower number comes first, unless the
    // other tuple has ended there.
    Bits a = left.converters;
    Bits b = right.converters;
    while (a.any() && b.any()) {
        const int first = a.pop();
        const int second = b.pop();
        if (first != second) {
            return first < second;
        }
    }
    return b.any();
}

// Drops payments whose marbles can be spent with a strict subset of the converters, and repetitions.
void keep_minimal(std::vector<Payment>& found) {
    std::sort(found.begin(), found.end(), before);
    std::vector<Payment> minimal;
    for (std::size_t i = 0; i < found.size(); ++i) {
        bool superfluous = i > 0 && found[i].spend == found[i - 1].spend && found[i].converters == found[i - 1].converters;
        for (std::size_t j = 0; j < found.size() && !superfluous; ++j) {
            superfluous = found[j].spend == found[i].spend && found[j].converters != found[i].converters &&
                          (found[j].converters & found[i].converters) == found[j].converters;
        }
        if (!superfluous) {
            minimal.push_back(found[i]);
        }
    }
    found = std::move(minimal);
}

}  // namespace

std::vector<Payment> payments(unsigned colors, int low, int high, Marbles ring, Bits converters) {
    std::vector<Payment> found;
    std::vector<Reached> layer;
    for (int amount = low; amount <= high; ++amount) {
        add_targets(colors, amount, 0, Marbles{}, layer);
    }
    if (!converters.any()) {
        for (const Reached& target : layer) {
            if (ring.contains(target.marbles)) {
                found.push_back({target.marbles, Bits{}});
            }
        }
        std::sort(found.begin(), found.end(), before);
        return found;
    }
    const std::vector<Use> uses = uses_of(converters);
    Frontier frontier;
    for (const Reached& target : layer) {
        frontier.add(target);
    }
    // Each undone use takes away one marble of a colour at most, so more marbles beyond the ring than uses left can
    // never be paid.
    int left = static_cast<int>(uses.size());
    std::erase_if(layer, [&](const Reached& target) { return beyond(target.marbles, ring) > left; });
    while (!layer.empty()) {
        --left;
        std::vector<Reached> following;
        for (const Reached& reached : layer) {
            for (const Use& use : uses) {
                if ((reached.uses & use.bit) != 0 || (reached.uses & use.after) != use.after) {
                    continue;
                }
                undo(use, reached.marbles, [&](Marbles marbles) {
                    const Reached next{marbles, reached.uses | use.bit};
                    if (beyond(marbles, ring) <= left && frontier.add(next)) {
                        following.push_back(next);
                    }
                });
            }
        }
        layer = std::move(following);
    }
    frontier.visit([&](const Reached& reached) {
        if (!ring.contains(reached.marbles)) {
            return;
        }
        Bits used;
        for (const Use& use : uses) {
            if ((reached.uses & use.bit) != 0) {
                used.add(use.card);
            }
        }
        found.push_back({reached.marbles, used});
    });
    keep_minimal(found);
    return found;
}

}  // namespace gizmos
