#include "returned.hpp"

#include <algorithm>
#include <bit>

#include "values.hpp"

namespace gizmos {

namespace {

std::uint64_t mixed_in(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    return hash ^ hash >> 29U;
}

}  // namespace

std::size_t Returned::Hash::operator()(const Question& question) const {
    std::uint64_t hash = mixed_in(question.seeing.pool.low, question.seeing.pool.high);
    hash = mixed_in(hash, static_cast<unsigned>(question.seeing.left << 16 | question.seeing.seen << 8 | question.seeing.drawn));
    hash = mixed_in(hash, std::bit_cast<std::uint64_t>(question.floor));
    for (const Ranked& ranked : question.ranking) {
        hash = mixed_in(hash, std::bit_cast<std::uint64_t>(ranked.worth));
        hash = mixed_in(hash, static_cast<std::uint64_t>(ranked.card));
    }
    return static_cast<std::size_t>(hash);
}

void Returned::ask_for(std::vector<Order> orders) {
    orders_ = std::move(orders);
    answers_.assign(questions_.size(), Spread());
    asked_.assign(questions_.size(), false);
}

// Refills have taken the uppermost ones; one that was kept by a research is not in the pool any more.
Bits Returned::seen(const Order& order, const Seeing& seeing) const {
    if (spared_) {
        return order.set & seeing.pool;
    }
    int gone = order.count - seeing.left - (pool_ & ~seeing.pool).count();
    int left = seeing.seen;
    Bits result;
    for (std::size_t i = 0; i < order.count && left > 0; ++i) {
        if (!seeing.pool.has(order.cards[i])) {
            continue;
        }
        if (gone > 0) {
            --gone;
        } else {
            result.add(order.cards[i]);
            --left;
        }
    }
    return result;
}

double Returned::answer(const Question& question, const Order& order) const {
    const Bits there = seen(order, question.seeing);
    double best = question.floor;
    for (const auto& [card, worth] : question.ranking) {
        if (there.has(card)) {
            best = worth;
            break;
        }
    }
    if (question.seeing.drawn == 0) {
        return best;
    }
    const Bits deck = question.seeing.pool & ~order.set;
    std::vector<Worth<1>> worths{{{question.floor}, deck.count()}};
    for (const auto& [card, worth] : question.ranking) {
        if (deck.has(card)) {
            worths.push_back({{worth}, 1});
            --worths.front().cards;
        }
    }
    return best_of_drawn<1>(Luck::average, worths, question.seeing.drawn, {best})[0];
}

Spread Returned::best_of(const std::array<double, MAX_CARDS>& worths, double floor, const Seeing& seeing) {
    Question question{seeing, floor, {}};
    for (const int card : each(seeing.pool)) {
        const double worth = worths[static_cast<std::size_t>(card)];
        if (worth > floor) {
            question.ranking.push_back({card, worth});
        }
    }
    if (question.ranking.empty()) {
        return Spread(floor);
    }
    if (spared_) {
        question.seeing.left = question.seeing.seen = 0;
    }
    std::stable_sort(question.ranking.begin(), question.ranking.end(),
                     [](const Ranked& left, const Ranked& right) { return left.worth > right.worth; });
    const auto [known, is_new] = known_.try_emplace(question, questions_.size());
    const std::size_t at = known->second;
    if (is_new) {
        questions_.push_back(std::move(question));
        answers_.emplace_back();
        asked_.push_back(false);
    }
    if (!asked_[at]) {
        std::vector<double> numbers;
        numbers.reserve(orders_.size());
        for (const Order& order : orders_) {
            numbers.push_back(answer(questions_[at], order));
        }
        answers_[at] = Spread(std::move(numbers));
        asked_[at] = true;
    }
    return answers_[at];
}

Spread Returned::where_seen(int card, const Spread& values, const Seeing& seeing, double nothing) {
    // Asked as the question for a card worth 1, so that orders are told apart by it.
    std::array<double, MAX_CARDS> one{};
    one[static_cast<std::size_t>(card)] = 1.0;
    const Spread is_seen = best_of(one, 0.0, seeing);
    std::vector<double> numbers;
    numbers.reserve(orders_.size());
    for (std::size_t i = 0; i < orders_.size(); ++i) {
        numbers.push_back(is_seen[i] > 0.0 ? values[i] : nothing);
    }
    return Spread(std::move(numbers));
}

bool Returned::can_miss(const Order& order, int cards) const {
    const std::uint64_t with_all = answers(order, true);
    Order left = order;
    for (const int card : each(order.set)) {
        if (cards <= 0) {
            break;
        }
        left.set.remove(card);
        if (answers(left, true) == with_all) {
            --cards;
        } else {
            left.set.add(card);
        }
    }
    return cards <= 0;
}

std::uint64_t Returned::answers(const Order& order, bool of_all) const {
    std::uint64_t hash = order.count;
    for (std::size_t i = 0; i < questions_.size(); ++i) {
        if (of_all || asked_[i]) {
            hash = mixed_in(hash, std::bit_cast<std::uint64_t>(answer(questions_[i], order)));
        }
    }
    return hash;
}

}  // namespace gizmos
