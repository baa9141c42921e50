// The rules of engine/rules.py and engine/reveals.py on packed positions: the same actions in the same order.
#pragma once

#include <cstdint>
#include <vector>

#include "games_payments.hpp"
#include "games_position.hpp"

namespace gizmos::games {

enum class ActionKind : std::uint8_t { pick, file, build, research, draw, points, skip, pass, end_turn };

struct Action {
    ActionKind kind = ActionKind::pass;
    std::uint8_t value = 0;  // colour of a pick, level of a research, card of a file or build
    Source source = Source::display;
    CardIndex gizmo = no_card;
    Marbles spend{};
    std::uint32_t converters = 0;  // bits of Table::converters
};

using Actions = std::vector<Action>;

// What may come next from nature: colours with weights, or cards of equal weight. `count` outcomes, of weight `total` in all.
struct Outcomes {
    RevealKind kind = RevealKind::row;
    int count = 0;
    int total = 0;
    Marbles marbles{};  // weight per colour
    Bits cards{};

    [[nodiscard]] bool are_cards() const { return kind == RevealKind::refill || kind == RevealKind::research; }
    // The outcome that holds the given share of the total weight, 0 <= share < total.
    [[nodiscard]] int at(int share) const;
    template <typename Visit>
    void each(Visit visit) const {
        if (are_cards()) {
            visit_each(cards, visit);
            return;
        }
        for (int color = 0; color < COLORS; ++color) {
            if (marbles[color] != 0) visit(color);
        }
    }
};

// The rules for one card table. Holds remembered payments, so one thread uses one instance.
class Rules {
public:
    explicit Rules(const Table& table) : table_(table), payments_(table) {}

    [[nodiscard]] const Table& table() const { return table_; }
    // How many lists of payments had to be made anew.
    [[nodiscard]] std::uint64_t payment_misses() const { return payments_.misses(); }

    // Replaces `actions` by every decision open to the player to move, in the order of `legal_actions`; none while nature
    // owes a reveal and when the game is over.
    void legal(const Position& position, Actions& actions);

    // Carries out a legal action and then what is certain: `apply_unchecked`.
    void apply(Position& position, const Action& action) const;

    // All outcomes of the reveal that is owed next; one must be owed.
    [[nodiscard]] Outcomes outcomes(const Position& position) const;

    // Carries out a possible reveal and then what is certain: `reveal_unchecked`.
    void reveal(Position& position, int outcome) const;

    // Makes the reveals that are certain, and ends the turn once nothing is left to decide in it.
    void settle(Position& position) const;

private:
    void main_actions(const Position& position, Actions& actions);
    void effect(const Position& position, CardIndex gizmo, Actions& actions);
    void picks(const Position& position, CardIndex gizmo, Actions& actions) const;
    void files(const Player& player, Bits cards, Source source, CardIndex gizmo, Actions& actions) const;
    void builds(const Position& position, Bits cards, Source source, Actions& actions);
    void researches(const Position& position, CardIndex gizmo, Actions& actions) const;
    void free_builds(const Position& position, CardIndex gizmo, Actions& actions) const;

    void pick(Position& position, int color) const;
    void file(Position& position, const Action& action) const;
    void build(Position& position, const Action& action) const;
    void research(Position& position, int level) const;
    void take(Position& position, int card, Source source) const;
    void return_cards(Position& position, Bits cards) const;
    void trigger(Position& position, Bits listeners) const;
    void step_done(Position& position) const;
    void carry_out_reveal(Position& position, const Awaited& awaited, int outcome) const;

    const Table& table_;
    Payments payments_;
};

}  // namespace gizmos::games
