// Values with one number per term of the objective, and how luck folds those of several outcomes into one.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "problem.hpp"

namespace gizmos {

template <int Terms>
using Value = std::array<double, static_cast<std::size_t>(Terms)>;

// Sums of fractions are rounded: values that differ by less are equal, so that the next term decides.
inline constexpr double EQUAL = 1e-10;

template <int Terms>
[[nodiscard]] bool better(const Value<Terms>& left, const Value<Terms>& right) {
    if constexpr (Terms == 1) {
        return left[0] > right[0];
    } else {
        for (std::size_t term = 0; term < Terms; ++term) {
            const double difference = left[term] - right[term];
            if (difference > EQUAL || difference < -EQUAL) {
                return difference > 0;
            }
        }
        return false;
    }
}

template <int Terms>
void improve(Value<Terms>& best, const Value<Terms>& other) {
    if (better<Terms>(other, best)) {
        best = other;
    }
}

template <int Terms>
class Fold {
public:
    explicit Fold(Luck luck) : luck_(luck) {}

    void add(const Value<Terms>& value, double weight) {
        if (luck_ == Luck::average) {
            for (std::size_t term = 0; term < Terms; ++term) {
                sum_[term] += weight * value[term];
            }
            total_ += weight;
        } else if (total_ == 0.0 || (luck_ == Luck::best ? better<Terms>(value, sum_) : better<Terms>(sum_, value))) {
            sum_ = value;
            total_ = 1.0;
        }
    }

    [[nodiscard]] Value<Terms> result() const {
        Value<Terms> mean = sum_;
        for (double& term : mean) {
            term /= total_;
        }
        return mean;
    }

private:
    Luck luck_;
    Value<Terms> sum_{};
    double total_ = 0.0;
};

[[nodiscard]] double binomial(int n, int k);

// The value of the best of `drawn` cards out of a pool, each set equally likely, when `floor` can be had anyway.
// `worths` are values with the number of cards of that value; they are sorted in place.
template <int Terms>
struct Worth {
    Value<Terms> value;
    int cards;
};

template <int Terms>
[[nodiscard]] Value<Terms> best_of_drawn(Luck luck, std::vector<Worth<Terms>>& worths, int drawn,
                                         const Value<Terms>& floor);

}  // namespace gizmos
