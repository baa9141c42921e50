// A number for each of many sets of cards that a research may have returned, all worked out at once (by_set.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gizmos {

class Spread {
public:
    Spread() = default;
    explicit Spread(double number) : base_(number) {}
    explicit Spread(std::vector<double> numbers) {
        const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
        if (*least == *most) {
            base_ = *least;
        } else {
            many_ = std::make_shared<const Many>(*least, *most, std::move(numbers));
        }
    }

    // What all numbers of this thread keep.
    [[nodiscard]] static std::size_t bytes() { return bytes_; }

    [[nodiscard]] bool single() const { return many_ == nullptr; }
    [[nodiscard]] std::size_t size() const { return many_ == nullptr ? 0 : many_->numbers.size(); }
    [[nodiscard]] double operator[](std::size_t set) const {
        return base_ + (many_ == nullptr ? 0.0 : many_->numbers[set]);
    }
    [[nodiscard]] double most() const { return base_ + (many_ == nullptr ? 0.0 : many_->most); }
    [[nodiscard]] double least() const { return base_ + (many_ == nullptr ? 0.0 : many_->least); }
    void fill(double number) { *this = Spread(number); }
    void add(double number) { base_ += number; }
    [[nodiscard]] bool operator==(const Spread& other) const { return base_ == other.base_ && many_ == other.many_; }

    // True if it is more for some set.
    [[nodiscard]] bool exceeds(const Spread& other) const {
        if (most() <= other.least() + ROUNDING) {
            return false;
        }
        if (many_ == other.many_) {
            return base_ > other.base_ + ROUNDING;
        }
        const std::size_t count = std::max(size(), other.size());
        for (std::size_t set = 0; set < count; ++set) {
            if ((*this)[set] > other[set] + ROUNDING) {
                return true;
            }
        }
        return false;
    }
    void improve(const Spread& other) {
        if (other.most() <= least()) {
            return;
        }
        if (most() <= other.least() || (many_ == other.many_ && other.base_ > base_)) {
            *this = other;
            return;
        }
        if (many_ == other.many_) {
            return;
        }
        const std::size_t count = std::max(size(), other.size());
        std::vector<double> numbers(count);
        bool mine = false;
        bool others = false;
        for (std::size_t set = 0; set < count; ++set) {
            const double left = (*this)[set];
            const double right = other[set];
            mine |= left > right;
            others |= right > left;
            numbers[set] = std::max(left, right);
        }
        if (!others) {
            return;
        }
        *this = mine ? Spread(std::move(numbers)) : other;
    }
    void add_to(std::vector<double>& sum, double weight) const {
        for (std::size_t set = 0; set < sum.size(); ++set) {
            sum[set] += weight * (*this)[set];
        }
    }

private:
    static constexpr double ROUNDING = 1e-11;
    struct Many {
        Many(double low, double high, std::vector<double>&& all) : least(low), most(high), numbers(std::move(all)) {
            bytes_ += numbers.capacity() * sizeof(double);
        }
        ~Many() { bytes_ -= numbers.capacity() * sizeof(double); }
        Many(const Many&) = delete;
        Many& operator=(const Many&) = delete;

        double least;
        double most;
        std::vector<double> numbers;
    };
    static inline thread_local std::size_t bytes_ = 0;

    double base_ = 0.0;
    std::shared_ptr<const Many> many_;
};

}  // namespace gizmos
