// What a player can do and what it does: the rules of engine/rules.py on `State`.
#pragma once

#include "payments.hpp"
#include "problem.hpp"
#include "state.hpp"

namespace gizmos {

enum class Source : std::uint8_t { display, archive, research };

// What a move adds to the value by itself.
struct Gain {
    int score = 0;
    int activations = 0;
    int gizmos = 0;  // built
};

// The moves below change a state in place. They expect legal moves, and leave reveals owed where the engine does.
class Moves {
public:
    explicit Moves(const Problem& problem) : problem_(problem) {}

    // Starts the effect of a waiting gizmo of that kind.
    void begin(State& state, int kind, Gain& gain) const;
    void pick(State& state, int color) const;
    void draw(State& state) const;
    void take_points(State& state, int amount, Gain& gain) const;
    // A card that the state does not tell apart any more is filed with `file_any`.
    void file(State& state, int card, Source source) const;
    void file_any(State& state, int level) const;
    // Files a card of the research in progress that is not told apart; it lies among those below the deck.
    void file_unseen(State& state) const;
    void build(State& state, int card, Source source, const Payment& payment, Gain& gain) const;
    void research(State& state, int level) const;
    void skip(State& state) const;
    void end_turn(State& state) const;

    // The cards of a research that were not kept lie at the bottom, in no order that could matter.
    void return_seen(State& state) const;

    // The least and the most to pay.
    [[nodiscard]] static int least_price(const State& state, const Card& card, Source source);

    [[nodiscard]] static bool can_file(const State& state) { return state.can_file != 0 && state.archive_space > 0; }
    // Nothing is left to decide or to reveal.
    [[nodiscard]] static bool finished(const State& state);

    static void owe(State& state, std::uint8_t kind, int count);
    // Owes one reveal before all others.
    static void owe_first(State& state, std::uint8_t kind);
    static void pay_owed(State& state);

private:
    void trigger(State& state, Bits listeners) const;
    void take_displayed(State& state, int level) const;
    static void effect_done(State& state);
    static void step_done(State& state);

    const Problem& problem_;
};

}  // namespace gizmos
