// The marbles of a state and what will move them, apart from everything else: what collect.cpp searches.
#pragma once

#include <array>
#include <cstdint>

#include "cards.hpp"
#include "marbles.hpp"
#include "problem.hpp"
#include "state.hpp"

namespace gizmos {

inline constexpr int MAX_MOVERS = 6;
inline constexpr int MAX_LISTENERS = 16;

// The kinds of effects that pick or draw, and the gizmos that listen to picks, each with what it triggers.
class Movers {
public:
    // Throws std::length_error if the card table has more than there is room for, std::invalid_argument if a gizmo that
    // listens to picks does anything but draw: bounds take for granted that all it brings is marbles.
    void read(const CardTable& table);

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] int kind(int mover) const { return kinds_[static_cast<std::size_t>(mover)]; }
    [[nodiscard]] bool picks(int mover) const { return picks_[static_cast<std::size_t>(mover)]; }
    [[nodiscard]] int amount(int mover) const { return amounts_[static_cast<std::size_t>(mover)]; }

    [[nodiscard]] int listeners() const { return listener_count_; }
    [[nodiscard]] int card(int listener) const { return cards_[static_cast<std::size_t>(listener)]; }
    [[nodiscard]] int mover_of(int listener) const { return mover_of_[static_cast<std::size_t>(listener)]; }
    // Bits of the listeners that picking a colour triggers.
    [[nodiscard]] unsigned on_pick(int color) const { return on_pick_[static_cast<std::size_t>(color)]; }

private:
    int count_ = 0;
    std::array<int, MAX_MOVERS> kinds_{};
    std::array<bool, MAX_MOVERS> picks_{};
    std::array<int, MAX_MOVERS> amounts_{};
    int listener_count_ = 0;
    std::array<int, MAX_LISTENERS> cards_{};
    std::array<int, MAX_LISTENERS> mover_of_{};
    std::array<unsigned, COLORS> on_pick_{};
};

// The movers of the process's card table.
namespace detail {
inline Movers movers;
}
[[nodiscard]] inline const Movers& movers() { return detail::movers; }

struct Stock {
    Marbles ring;
    Marbles row;
    Marbles dispenser;
    std::uint16_t listening = 0;  // bits of the unused listeners
    std::array<std::uint8_t, MAX_MOVERS> waiting{};
    std::uint8_t pending = 0;  // 1 + the mover being carried out; 0: none
    std::uint8_t left = 0;     // steps of it
    std::uint8_t started = 0;
    std::uint8_t next_used = 0;
    std::uint8_t next_new = 0;
    std::uint8_t limit = NO_LIMIT;

    // Of a state in which nothing is owed.
    [[nodiscard]] static Stock of(const State& state);
    void put_into(State& state) const;

    [[nodiscard]] int room() const { return limit - ring.total(); }
    [[nodiscard]] int picks() const { return steps(true); }
    [[nodiscard]] int draws() const { return steps(false); }
    // The most steps, up to so many, of effects that wait and are used in full.
    [[nodiscard]] int whole_steps(bool of_picks, int most) const;
    [[nodiscard]] bool picking() const { return pending != 0 && movers().picks(pending - 1); }
    [[nodiscard]] int nexts_known(const Problem& problem) const {
        return static_cast<int>(problem.nexts.size()) - next_used + (next_new != 0 ? 1 : 0);
    }

    void begin(int mover);
    void skip();
    // An effect under way comes to no more marbles than there is room for, or left to draw.
    void end_in_vain();
    // A marble of the row is picked; the one that enters is still owed.
    void pick(int color);
    // A marble is about to be drawn.
    void draw() { step_done(); }
    void drop_draws();
    // No pick will tell the colours of the row apart any more; nor will draws those of the dispenser, if `draws` > 0: then
    // it only has to hold so many marbles.
    void forget_row(int draws);
    // The marble known to come next enters the row.
    void enter_known(const Problem& problem);

    // All of it in two words.
    [[nodiscard]] std::array<std::uint64_t, 2> packed() const;

private:
    [[nodiscard]] int steps(bool of_picks) const;
    void step_done();
};

}  // namespace gizmos
