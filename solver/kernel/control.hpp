// When a search has to stop, and what it has done so far. One per search, shared by its threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace gizmos {

enum class Stop : std::uint8_t { no, time, interrupted };

// Unwinds a search that was told to stop.
struct Stopped : std::exception {};

class Control {
public:
    using Clock = std::chrono::steady_clock;

    // `seconds` < 0: no limit.
    void start(double seconds) {
        reason_.store(Stop::no);
        deadline_ = seconds < 0 ? Clock::time_point::max()
                                : Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(seconds));
    }

    void stop(Stop reason) {
        Stop none = Stop::no;
        reason_.compare_exchange_strong(none, reason);
    }
    [[nodiscard]] Stop reason() const { return reason_.load(std::memory_order_relaxed); }

    // Called now and then by whoever waits for the search; true asks it to stop.
    void watch(std::function<bool()> interrupted) { interrupted_ = std::move(interrupted); }

    // How many states all threads have valued, as far as they have told.
    void tell(std::uint64_t states) { states_.fetch_add(states, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t states() const { return states_.load(std::memory_order_relaxed); }

    // True once the search has to stop. `main`: the caller is the thread that waits for the search.
    [[nodiscard]] bool over(bool main) {
        const Clock::time_point now = Clock::now();
        if (now >= deadline_) {
            stop(Stop::time);
        }
        if (main && interrupted_ && now - watched_ > std::chrono::milliseconds(20)) {
            watched_ = now;
            if (interrupted_()) {
                stop(Stop::interrupted);
            }
        }
        return reason() != Stop::no;
    }

private:
    std::atomic<Stop> reason_{Stop::no};
    Clock::time_point deadline_ = Clock::time_point::max();
    std::function<bool()> interrupted_;
    Clock::time_point watched_ = Clock::now();
    std::atomic<std::uint64_t> states_ = 0;
};

// What a search has done.
struct Counters {
    std::uint64_t states = 0;           // valued
    std::uint64_t known = 0;            // found in the table
    std::uint64_t reveals_skipped = 0;  // since they could not matter
    std::uint64_t points_taken = 0;     // at once
    std::uint64_t marbles_dropped = 0;  // states in which no marble matters any more
    std::uint64_t purses = 0;           // states in which only what can be paid matters
    std::uint64_t cards_dropped = 0;    // states in which some unseen cards can't matter any more
    std::uint64_t cards_alike = 0;      // cards not looked at since others are alike
    std::uint64_t payments_dearer = 0;  // left out since only the number of marbles mattered after them
    std::uint64_t actions_left = 0;     // first actions whose bounds show that they can't be among the best
    std::uint64_t payments_merged = 0;  // since no marble mattered after them
    std::uint64_t researches_bounded = 0; // where the set seen matters, and only a bound is asked for
    std::uint64_t researches_alone = 0;   // of which only the best card counted
    std::uint64_t researches_counted = 0; // by counts of coarse classes
    std::uint64_t researches_full = 0;    // by enumeration of what is seen
    std::uint64_t researches_by_set = 0;  // by ways valued for many sets at once
    std::uint64_t refills_open = 0;       // of which it made no difference, or only a bound was asked for, which card they are
    std::uint64_t collections_cut = 0;    // since more marbles could not help (collect.cpp)
    std::uint64_t settled = 0;            // states whose cheap bounds meet
    std::uint64_t floored = 0;            // states and reveals left, since not worth what would have made a difference
    std::uint64_t refuted = 0;            // choices left, since a relaxation is not worth more than the best
    std::uint64_t sets = 0;               // counts or multisets looked at in these
    std::uint64_t checks = 0;             // whether to stop

    Counters& operator+=(const Counters& other) {
        states += other.states;
        known += other.known;
        reveals_skipped += other.reveals_skipped;
        points_taken += other.points_taken;
        marbles_dropped += other.marbles_dropped;
        purses += other.purses;
        cards_dropped += other.cards_dropped;
        cards_alike += other.cards_alike;
        payments_dearer += other.payments_dearer;
        actions_left += other.actions_left;
        payments_merged += other.payments_merged;
        researches_bounded += other.researches_bounded;
        researches_alone += other.researches_alone;
        researches_counted += other.researches_counted;
        researches_full += other.researches_full;
        researches_by_set += other.researches_by_set;
        refills_open += other.refills_open;
        collections_cut += other.collections_cut;
        settled += other.settled;
        floored += other.floored;
        refuted += other.refuted;
        sets += other.sets;
        checks += other.checks;
        return *this;
    }
};

// How one thread notices that the search has to stop, wherever it is: both throw Stopped then.
class Pulse {
public:
    Pulse(Control& control, const Counters& counters, bool main)
        : control_(control), counters_(counters), main_(main) {}

    // For work that takes microseconds: looks at the first beat, and then now and then.
    void beat() {
        if (beats_++ % BEATS_BETWEEN_CHECKS == 0) {
            check();
        }
    }
    // For work that can take milliseconds.
    void check() {
        ++checks_;
        control_.tell(counters_.states - told_);
        told_ = counters_.states;
        if (control_.over(main_)) {
            throw Stopped();
        }
    }
    [[nodiscard]] std::uint64_t checks() const { return checks_; }
    [[nodiscard]] bool main() const { return main_; }

private:
    static constexpr std::uint64_t BEATS_BETWEEN_CHECKS = 128;

    Control& control_;
    const Counters& counters_;
    bool main_;
    std::uint64_t beats_ = 0;
    std::uint64_t checks_ = 0;
    std::uint64_t told_ = 0;
};

}  // namespace gizmos
