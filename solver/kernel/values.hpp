// Values with one number per term of the objective, and how luck folds those of several outcomes into one.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <vector>

#include "problem.hpp"
#include "spread.hpp"

namespace gizmos {

// In place of a number of terms: a single term, but for many sets of returned cards at once (spread.hpp).
inline constexpr int BY_SET = 0;

template <int Terms>
struct ValueOf {
    using Type = std::array<double, static_cast<std::size_t>(Terms)>;
};
template <>
struct ValueOf<BY_SET> {
    using Type = Spread;
};
template <int Terms>
using Value = typename ValueOf<Terms>::Type;

// Sums of fractions are rounded: values that differ by less are equal, so that the next term decides.
inline constexpr double EQUAL = 1e-10;

template <int Terms>
[[nodiscard]] bool better(const Value<Terms>& left, const Value<Terms>& right) {
    if constexpr (Terms == BY_SET) {
        return left.exceeds(right);
    } else if constexpr (Terms == 1) {
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

// An order for sorting.
template <int Terms>
[[nodiscard]] bool ahead(const Value<Terms>& left, const Value<Terms>& right) {
    if constexpr (Terms == BY_SET) {
        return left.most() > right.most();
    } else {
        return better<Terms>(left, right);
    }
}

template <int Terms>
void improve(Value<Terms>& best, const Value<Terms>& other) {
    if constexpr (Terms == BY_SET) {
        best.improve(other);
    } else if (better<Terms>(other, best)) {
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

// What values by set cannot express.
struct Inexpressible : std::exception {};
// More values by set than there is room for.
struct TooMany : std::exception {};

template <>
class Fold<BY_SET> {
public:
    explicit Fold(Luck luck) {
        if (luck != Luck::average) {
            throw Inexpressible();
        }
    }

    void add(const Spread& value, double weight) {
        total_ += weight;
        if (value.single()) {
            sum_ += weight * value.most();
            return;
        }
        many_.resize(value.size());
        value.add_to(many_, weight);
    }

    [[nodiscard]] Spread result() const {
        if (many_.empty()) {
            return Spread(sum_ / total_);
        }
        std::vector<double> mean = many_;
        for (double& number : mean) {
            number = (number + sum_) / total_;
        }
        return Spread(std::move(mean));
    }

private:
    std::vector<double> many_;
    double sum_ = 0.0;
    double total_ = 0.0;
};

[[nodiscard]] double binomial(int n, int k);
// How many sets of so many cards differ, of classes of alike cards of these sizes.
[[nodiscard]] double different_sets(const std::vector<int>& classes, int cards);

// The value of the best of `drawn` cards out of a pool, each set equally likely, when `floor` can be had anyway.
// `worths` are values with the number of cards of that value; they are sorted in place.
template <int Terms>
struct Worth {
    Value<Terms> value;
    int cards;
    Bits alike{};  // those cards, if they are told apart
};

template <int Terms>
[[nodiscard]] Value<Terms> best_of_drawn(Luck luck, std::vector<Worth<Terms>>& worths, int drawn,
                                         const Value<Terms>& floor);

}  // namespace gizmos
