#include "values.hpp"

#include <algorithm>

#include "cards.hpp"

namespace gizmos {

double binomial(int n, int k) {
    static const auto table = [] {
        std::array<std::array<double, MAX_CARDS>, MAX_CARDS> rows{};
        for (std::size_t row = 0; row < MAX_CARDS; ++row) {
            rows[row][0] = 1.0;
            for (std::size_t column = 1; column <= row; ++column) {
                rows[row][column] = rows[row - 1][column - 1] + (column < row ? rows[row - 1][column] : 0.0);
            }
        }
        return rows;
    }();
    return k < 0 || n < 0 || k > n ? 0.0 : table[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

double different_sets(const std::vector<int>& classes, int cards) {
    std::vector<double> sets(static_cast<std::size_t>(cards) + 1, 0.0);  // by how many cards they have
    sets[0] = 1.0;
    for (const int there : classes) {
        for (std::size_t size = sets.size() - 1; size > 0; --size) {
            for (std::size_t taken = 1; taken <= std::min(size, static_cast<std::size_t>(there)); ++taken) {
                sets[size] += sets[size - taken];
            }
        }
    }
    return sets.back();
}

template <int Terms>
Value<Terms> best_of_drawn(Luck luck, std::vector<Worth<Terms>>& worths, int drawn, const Value<Terms>& floor) {
    int cards = 0;
    for (Worth<Terms>& worth : worths) {
        improve<Terms>(worth.value, floor);
        cards += worth.cards;
    }
    std::sort(worths.begin(), worths.end(),
              [](const Worth<Terms>& left, const Worth<Terms>& right) { return better<Terms>(left.value, right.value); });
    if (luck == Luck::best) {
        return worths.front().value;
    }
    const double sets = binomial(cards, drawn);
    Value<Terms> mean{};
    double without = sets;  // sets that hold none of the cards so far
    int left = cards;
    for (const Worth<Terms>& worth : worths) {
        left -= worth.cards;
        if (luck == Luck::worst) {
            if (left < drawn) {
                return worth.value;
            }
            continue;
        }
        const double now_without = binomial(left, drawn);
        for (std::size_t term = 0; term < Terms; ++term) {
            mean[term] += worth.value[term] * ((without - now_without) / sets);
        }
        without = now_without;
    }
    return mean;
}

template <>
Spread best_of_drawn<BY_SET>(Luck luck, std::vector<Worth<BY_SET>>& worths, int drawn, const Spread& floor) {
    std::size_t sets = floor.size();
    for (const Worth<BY_SET>& worth : worths) {
        sets = std::max(sets, worth.value.size());
    }
    std::vector<double> best;
    for (std::size_t set = 0; set < std::max<std::size_t>(1, sets); ++set) {
        std::vector<Worth<1>> single;
        for (const Worth<BY_SET>& worth : worths) {
            single.push_back({{worth.value[set]}, worth.cards});
        }
        best.push_back(best_of_drawn<1>(luck, single, drawn, {floor[set]})[0]);
    }
    return sets == 0 ? Spread(best.front()) : Spread(std::move(best));
}

template Value<1> best_of_drawn<1>(Luck, std::vector<Worth<1>>&, int, const Value<1>&);
template Value<2> best_of_drawn<2>(Luck, std::vector<Worth<2>>&, int, const Value<2>&);
template Value<3> best_of_drawn<3>(Luck, std::vector<Worth<3>>&, int, const Value<3>&);
template Value<4> best_of_drawn<4>(Luck, std::vector<Worth<4>>&, int, const Value<4>&);

}  // namespace gizmos
