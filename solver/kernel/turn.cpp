#include "turn.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "search.hpp"
#include "table.hpp"

namespace gizmos {

namespace {

template <int Terms>
class TurnOf final : public Turn {
public:
    TurnOf(Problem problem, std::size_t bytes, std::size_t threads)
        : Turn(std::move(problem)),
          room_(beside_table(bytes, 1)),
          table_(bytes - threads * beside_table(bytes, threads) - room_.bytes()) {
        for (std::size_t thread = 0; thread < threads; ++thread) {
            const std::size_t beside = beside_table(bytes, threads);
            searches_.push_back(std::make_unique<Search<Terms>>(problem_, control_, table_, beside, room_, thread == 0));
        }
    }

    std::optional<Numbers> value(const Reading& reading) override {
        State state = reading.state;
        if (reading.over) {
            first().moves().end_turn(state);
        }
        return unless_stopped([&] { return numbers(first().value(state), reading); });
    }

    std::optional<std::vector<std::optional<Interval>>> actions(const Reading& reading, int top) override {
        const auto listed = unless_stopped([&] { return first().actions(reading.state, reading.waiting); });
        if (!listed) {
            return std::nullopt;
        }
        const auto& list = *listed;
        // Bounds differ from values only by cards whose place nobody knows.
        const bool known_decks = reading.state.unknown == std::array<std::uint8_t, 3>{};
        const Known begun = known_decks ? Known::both : Known::relaxed;
        std::vector<Found> found(list.size());
        std::mutex access;
        const auto floor_now = [&] {
            const std::lock_guard lock(access);
            return to_beat(found, top);
        };
        const auto raise_lower = [&](Search<Terms>& search, std::size_t i) {
            const Value<Terms> lower = search.least_of(list[i], floor_now());
            const std::lock_guard lock(access);
            found[i].lower = lower;
            tell(found, reading);
        };
        for (std::size_t i = 0; i < list.size(); ++i) {
            found[i].lower = first().at_once(list[i]);
        }
        in_parallel(list.size(), [&](Search<Terms>& search, std::size_t i) {
            // Lower bounds spare much of the search for upper ones, but with unknown decks they take longer themselves.
            if (known_decks) {
                raise_lower(search, i);
            }
            const Value<Terms> upper = search.most_of(list[i], known_decks ? floor_now() : Search<Terms>::nothing());
            const std::lock_guard lock(access);
            found[i].upper = upper;
            found[i].known = begun;
            tell(found, reading);
        });
        if (!known_decks) {
            in_parallel(list.size(), raise_lower);
        }
        // Always the most promising is looked into, until it is known, or can't be among the best.
        const auto most_promising = [&]() -> std::size_t {
            std::size_t best = found.size();
            for (std::size_t i = 0; i < found.size(); ++i) {
                const Found& one = found[i];
                if (one.busy || one.known == Known::no || one.exact() || beaten(found, one, top)) {
                    continue;
                }
                if (best == found.size() || better<Terms>(one.upper, found[best].upper)) {
                    best = i;
                }
            }
            return best;
        };
        in_parallel(searches_.size(), [&](Search<Terms>& search, std::size_t) {
            while (true) {
                std::size_t i = 0;
                Value<Terms> floor{};
                {
                    const std::lock_guard lock(access);
                    floor = to_beat(found, top);
                    i = most_promising();
                    if (i == found.size()) {
                        return;
                    }
                    found[i].busy = true;
                }
                Found next = found[i];
                Value<Terms> worth{};
                switch (next.known) {
                    case Known::relaxed: {
                        const Value<Terms> asked = raised(floor, next.upper);
                        worth = search.bound(list[i], UPPER, asked);
                        if (better<Terms>(next.upper, worth)) {
                            next.upper = worth;
                        }
                        if (better<Terms>(worth, asked) || !better<Terms>(asked, floor)) {
                            next.known = Known::upper;
                        }
                        break;
                    }
                    case Known::upper:
                        worth = search.bound(list[i], LOWER, floor);
                        if (better<Terms>(worth, floor)) {
                            next.lower = worth;
                        }
                        next.known = Known::both;
                        break;
                    default:
                        worth = search.value(list[i], floor);
                        next.upper = worth;
                        if (better<Terms>(worth, floor)) {
                            next.lower = worth;
                        }
                }
                next.busy = false;
                const std::lock_guard lock(access);
                found[i] = next;
                tell(found, reading);
            }
        });
        left_ += static_cast<std::uint64_t>(
            std::count_if(found.begin(), found.end(), [](const Found& one) { return one.bounded() && !one.exact(); }));
        std::vector<std::optional<Interval>> values(list.size());
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (found[i].bounded()) {
                values[i] = Interval{numbers(found[i].lower, reading), numbers(found[i].upper, reading)};
            }
        }
        return values;
    }

    std::optional<std::vector<Numbers>> research(const Reading& reading) override {
        return unless_stopped([&] {
            std::vector<Numbers> list;
            for (const auto& worth : first().worth_alone(reading.state)) {
                list.push_back(numbers(worth, reading));
            }
            return list;
        });
    }

    std::optional<Numbers> keep(const Reading& reading, int card) override {
        return unless_stopped([&] {
            const State& state = reading.state;
            return numbers(card < 0 ? first().after_research(state) : first().keep(state, card), reading);
        });
    }

    std::optional<bool> set_matters(const Reading& reading) override {
        return unless_stopped([&] { return first().set_matters(reading.state); });
    }
    std::optional<bool> reveal_matters(const Reading& reading) override {
        return unless_stopped([&] { return first().reveal_matters(reading.state); });
    }

    Progress progress() override {
        const std::lock_guard lock(telling_);
        Progress now = told_;
        now.states = control_.states();
        return now;
    }

    Counters counters() const override {
        Counters sum;
        sum.actions_left = left_;
        for (const auto& search : searches_) {
            sum += search->counters();
        }
        return sum;
    }
    Memory memory() const override {
        Memory memory{table_.bytes(), table_.replaced(), 0};
        for (const auto& search : searches_) {
            memory.beside_table += search->bytes();
        }
        return memory;
    }

private:
    // What each thread may remember beside the table: an eighth of all together, and no more than it ever needs.
    static std::size_t beside_table(std::size_t bytes, std::size_t threads) {
        return std::min(bytes / 8 / threads, std::size_t{1} << 27);
    }

    // What is known of an action, the cheap things first.
    enum class Known : std::uint8_t { no, relaxed, upper, both };
    struct Found {
        Value<Terms> lower{};
        Value<Terms> upper{};
        Known known = Known::no;
        bool busy = false;  // a thread looks into it

        [[nodiscard]] bool bounded() const {
            return known != Known::no && upper[0] < Search<Terms>::ANYTHING / 2;
        }

        [[nodiscard]] bool exact() const {
            for (std::size_t term = 0; term < Terms; ++term) {
                if (upper[term] - lower[term] > EQUAL || lower[term] - upper[term] > EQUAL) {
                    return false;
                }
            }
            return true;
        }
    };

    // What an action has to be better than to be one of so many best, or as good as them.
    static Value<Terms> to_beat(const std::vector<Found>& found, int top) {
        std::vector<double> lowers;
        for (const Found& one : found) {
            lowers.push_back(one.lower[0]);
        }
        Value<Terms> floor = Search<Terms>::nothing();
        if (Terms == 1 && top > 0 && static_cast<std::size_t>(top) <= lowers.size()) {
            std::nth_element(lowers.begin(), lowers.begin() + (top - 1), lowers.end(), std::greater<>());
            floor[0] = lowers[static_cast<std::size_t>(top) - 1] - 20 * EQUAL;
        }
        return floor;
    }

    // A bound is first asked whether it is in the upper part of what is possible: most are not, which is cheaper to find
    // than what they are, and says which action to look into first.
    static Value<Terms> raised(const Value<Terms>& floor, const Value<Terms>& upper) {
        Value<Terms> asked = floor;
        const double least = 0.05;
        if (Terms == 1 && floor[0] > Search<Terms>::NOTHING && upper[0] < Search<Terms>::ANYTHING / 2 &&
            upper[0] - floor[0] > least) {
            asked[0] = upper[0] - std::max(least, (upper[0] - floor[0]) / 4);
        }
        return asked;
    }

    // True if so many others are certainly better.
    static bool beaten(const std::vector<Found>& found, const Found& one, int top) {
        const auto above = std::count_if(found.begin(), found.end(), [&](const Found& other) {
            return other.known != Known::no && better<Terms>(other.lower, one.upper) &&
                   other.lower[0] - one.upper[0] > (Terms == 1 ? 10 * EQUAL : 0.0);
        });
        return above >= top;
    }

    void tell(const std::vector<Found>& found, const Reading& reading) {
        Progress now;
        now.actions = found.size();
        Value<Terms> lower{};
        Value<Terms> upper{};
        for (const Found& one : found) {
            if (one.bounded()) {
                lower = now.bounded == 0 || better<Terms>(one.lower, lower) ? one.lower : lower;
                upper = now.bounded == 0 || better<Terms>(one.upper, upper) ? one.upper : upper;
                ++now.bounded;
            }
        }
        now.lower = numbers(lower, reading);
        if (now.bounded == now.actions) {
            now.upper = numbers(upper, reading);
        }
        const std::lock_guard lock(telling_);
        told_ = std::move(now);
    }

    Search<Terms>& first() { return *searches_.front(); }

    Numbers numbers(const Value<Terms>& worth, const Reading& reading) const {
        Numbers list(worth.begin(), worth.end());
        for (std::size_t term = 0; term < list.size(); ++term) {
            const Term& wanted = problem_.terms[term];
            if (wanted.measure == Measure::score) {
                list[term] += reading.gained;
            } else if (wanted.measure == Measure::mix) {
                list[term] += wanted.rates.points * reading.gained + wanted.rates.gizmos * reading.built;
            }
        }
        return list;
    }

    template <typename Find>
    auto unless_stopped(Find find) -> std::optional<decltype(find())> {
        if (control_.over(true)) {
            return std::nullopt;
        }
        try {
            return find();
        } catch (const Stopped&) {
            return std::nullopt;
        }
    }

    // Does the tasks in order, each by the next thread that is free; a value does not depend on who finds it.
    template <typename Task>
    void in_parallel(std::size_t tasks, Task task) {
        std::atomic<std::size_t> next = 0;
        std::exception_ptr failure;
        std::atomic_flag failed;
        const auto guarded = [&](const auto& work) {
            try {
                work();
            } catch (const Stopped&) {
                // The values that are missing say so.
            } catch (...) {
                if (!failed.test_and_set()) {
                    failure = std::current_exception();
                }
                control_.stop(Stop::interrupted);
            }
        };
        const auto work = [&](Search<Terms>& search) {
            guarded([&] {
                for (std::size_t i = next++; i < tasks; i = next++) {
                    task(search, i);
                }
            });
        };
        std::mutex access;
        std::condition_variable ended;
        std::vector<std::thread> others;
        std::size_t working = std::min(searches_.size(), tasks) - std::min<std::size_t>(tasks, 1);
        for (std::size_t i = working; i > 0; --i) {
            others.emplace_back([&, i] {
                work(*searches_[i]);
                const std::lock_guard lock(access);
                --working;
                ended.notify_one();
            });
        }
        work(first());
        // Only this thread learns of an interruption, so it goes on looking.
        const auto others_work = [&] {
            std::unique_lock lock(access);
            return !ended.wait_for(lock, std::chrono::milliseconds(10), [&] { return working == 0; });
        };
        while (others_work()) {
            guarded([&] { static_cast<void>(control_.over(true)); });
        }
        for (std::thread& other : others) {
            other.join();
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
    }

    Room room_;
    Table<Terms> table_;
    std::vector<std::unique_ptr<Search<Terms>>> searches_;
    std::uint64_t left_ = 0;
    std::mutex telling_;
    Progress told_;
};

}  // namespace

std::unique_ptr<Turn> Turn::make(Problem problem, std::size_t bytes, std::size_t threads) {
    switch (problem.terms.size()) {
        case 1:
            return std::make_unique<TurnOf<1>>(std::move(problem), bytes, threads);
        case 2:
            return std::make_unique<TurnOf<2>>(std::move(problem), bytes, threads);
        case 3:
            return std::make_unique<TurnOf<3>>(std::move(problem), bytes, threads);
        default:
            return std::make_unique<TurnOf<4>>(std::move(problem), bytes, threads);
    }
}

}  // namespace gizmos
