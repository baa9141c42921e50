// Exact values of the states of a turn, by memoised search.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cache.hpp"
#include "canonical.hpp"
#include "closure.hpp"
#include "control.hpp"
#include "matter.hpp"
#include "moves.hpp"
#include "payments.hpp"
#include "problem.hpp"
#include "relax.hpp"
#include "returned.hpp"
#include "room.hpp"
#include "state.hpp"
#include "stock.hpp"
#include "table.hpp"
#include "values.hpp"

namespace gizmos {

// One thread's search; `Terms` is the number of terms of the objective. All values are "to go": what the rest of the
// turn adds, and what the end of the turn is worth. Throws Stopped when the control says so.
template <int Terms>
class Search {
public:
    using Worths = Value<Terms>;

    // `bytes` are for what the search remembers beside the table, but for values by set. `main`: it runs in the thread that
    // waits for the whole.
    Search(const Problem& problem, Control& control, Table<Terms>& table, std::size_t bytes, Room& room, bool main)
        : problem_(problem),
          control_(control),
          room_(room),
          pulse_(control, counters_, main),
          purse_(bytes / 8, pulse_),
          moves_(problem),
          alike_(problem),
          table_(table),
          payments_(bytes / 4),
          alone_(bytes / 8),
          worths_(bytes / 4),
          worths_of_(bytes / 16),
          offers_(bytes / 8) {}

    // Exact if it is better than `floor`; else only known not to be better, and then the result is no better either.
    [[nodiscard]] Worths value(State state, const Worths& floor);
    [[nodiscard]] Worths value(const State& state) { return value(state, nothing()); }
    // The most that it can be worth, if marbles had no colour: an upper bound that is cheap (relax.cpp).
    [[nodiscard]] Worths most_of(const State& state, const Worths& floor);
    // The value of the rest of the turn once a card of a research is taken (or none): the others are returned.
    [[nodiscard]] Worths after_research(const State& state, const Worths& floor);
    [[nodiscard]] Worths after_research(const State& state) { return after_research(state, nothing()); }
    // An action: the state it leads to (in a research, before the cards not kept are returned), and what it adds.
    struct Action {
        State next;
        Gain gain;
    };
    using List = std::vector<Action>;
    // All actions, in the order in which engine.rules.legal_actions lists them. `waiting` are the triggered gizmos,
    // ascending.
    [[nodiscard]] List actions(const State& state, const std::vector<int>& waiting);
    [[nodiscard]] Worths value(const Action& action, const Worths& floor);
    [[nodiscard]] Worths bound(const Action& action, Bound bound, const Worths& floor);
    [[nodiscard]] Worths most_of(const Action& action, const Worths& floor);
    // Lower bounds: what the action is worth if nothing follows, or no marble comes any more.
    [[nodiscard]] Worths at_once(const Action& action) const { return plus(at_end(action.next), action.gain); }
    [[nodiscard]] Worths least_of(const Action& action, const Worths& floor);
    // For a research owed whose set does not matter: what keeping each card of the pool is worth, ascending by card.
    [[nodiscard]] std::vector<Worths> worth_alone(const State& state);
    // The best value of keeping a card of a research that is being decided, in some way.
    [[nodiscard]] Worths keep(const State& state, int card);
    [[nodiscard]] Worths plus(Worths value, const Gain& gain) const;
    // The floor under what follows, if so much has been gained.
    [[nodiscard]] Worths below(Worths floor, const Gain& gain) const;
    [[nodiscard]] static Worths nothing() {
        Worths worth;
        worth.fill(NOTHING);
        return worth;
    }

    // A research owed: its cards are seen as far as they are certain, and so many are drawn from the pool.
    struct Drawing {
        State state;   // nothing is owed; the certain cards are seen
        Bits certain;  // with those seen before
        Bits pool;
        int drawn;
        // Of the cards returned, where values are told apart by them: so many are seen, and lay in the deck.
        int by_set = 0;
        int left = 0;
        bool lost = false;  // a card that is certain is not known to the kernel any more
    };
    [[nodiscard]] Drawing drawing(const State& state) const;
    [[nodiscard]] Worths lost(const State& state) const;
    // True if the set of cards seen matters beyond the best of them (design: "Reveals, exactly").
    [[nodiscard]] bool set_matters(const State& state);
    // True if the outcome of the reveal owed next can play a part.
    [[nodiscard]] bool reveal_matters(const State& state) {
        return reveal_matters(state, closure(problem_, state, purse_));
    }
    [[nodiscard]] bool reveal_matters(const State& state, const Closure& closure) const;

    [[nodiscard]] Counters counters() const {
        Counters all = counters_;
        all.checks = pulse_.checks();
        all += by_set_;
        if (family_ != nullptr) {
            all += family_->counters();
        }
        return all;
    }
    [[nodiscard]] std::size_t bytes() const {
        return purse_.bytes() + payments_.bytes() + alone_.bytes() + worths_.bytes() + worths_of_.bytes() +
               offers_.bytes() + (family_ == nullptr ? 0 : family_->bytes());
    }
    [[nodiscard]] const Moves& moves() const { return moves_; }

    [[nodiscard]] static bool floored(const Worths& floor) { return Terms == 1 && first(floor) > NOTHING; }
    // The first term; of values by set, one that none exceeds.
    [[nodiscard]] static double first(const Worths& worth) {
        if constexpr (Terms == BY_SET) {
            return worth.most();
        } else {
            return worth[0];
        }
    }

    // Values by set (by_set.cpp): `single` values what does not depend on the set.
    void value_by(Returned* returned, Search<1>* single);

    static constexpr double NOTHING = -1e9;  // less than any value
    static constexpr double ANYTHING = 1e9;  // more than any value

private:
    void list_effect(const State& state, Effect effect, Gain gain, List& list);
    void list_files(const State& state, Bits cards, Source source, Gain gain, List& list);
    void list_builds(const State& state, Bits cards, Source source, List& list);
    void add(const State& next, Gain gain, List& list);

    [[nodiscard]] Worths at_end(const State& state) const;
    struct Held {
        Action action;
        Worths most;
    };
    // The best of some choices. If it is bounded, they are held back until `settle`, each with the most it can be worth.
    struct Choices {
        Choices() {
            best.fill(NOTHING);
            floor.fill(NOTHING);
        }
        Worths best;
        Worths floor;  // what is not better need not be known
        bool any = false;
        [[nodiscard]] const Worths& to_beat() const { return better<Terms>(best, floor) ? best : floor; }
        bool bounded = false;
        std::vector<Held> held;
    };
    [[nodiscard]] bool settled(const State& state, const Closure& closure, const Worths& floor, Worths& worth);
    [[nodiscard]] bool can_bound(const Action& action) const;
    [[nodiscard]] bool worth_bounding(const State& state, const Closure& closure) const;
    // See last_build.cpp.
    struct LastBuild;
    [[nodiscard]] Worths most_of_last_build(const State& state, const Closure& closure, const Worths& floor);
    [[nodiscard]] int least_spent(const LastBuild& all, const Card& card, int price);
    void offer(const State& next, const Gain& gain, Choices& choices);
    void offer_promising(const std::vector<Action>& ways, Choices& choices);
    void settle(Choices& choices);
    [[nodiscard]] Worths decide(const State& state, const Closure& closure, const Worths& floor);
    void effect(const State& state, Effect effect, Gain gain, Choices& choices);
    void main_action(const State& state, const Closure& closure, Choices& choices);
    void pick(const State& state, Gain gain, Choices& choices);
    void file(const State& state, Gain gain, Choices& choices);
    void free_build(const State& state, Gain gain, Choices& choices);
    [[nodiscard]] static bool colors_come_back(const Closure& closure);
    void list_payments(const State& state, const Closure& closure, int card, Source source, std::vector<Action>& ways);
    [[nodiscard]] Worths research_choice(const State& state, const Closure& closure, const Worths& floor);
    void keep(const State& state, const Closure& closure, int card, Worths& best, const Worths& floor);
    void keep(const State& state, const Closure& closure, int card, Worths& best) {
        keep(state, closure, card, best, nothing());
    }

    // See collect.cpp.
    struct Collection;
    [[nodiscard]] bool collecting(const State& state, const Closure& closure) const;
    [[nodiscard]] Worths collect(State state, const Closure& closure);
    [[nodiscard]] Worths gather(Stock stock, const Collection& all);
    void gather_more(const Stock& stock, const Worths& most, const Collection& all, Worths& best);
    bool step_more(const Stock& stock, const Collection& all, Worths& best);
    [[nodiscard]] Worths enter_row(const Stock& stock, const Collection& all);
    [[nodiscard]] Worths preview(const Stock& stock, const Collection& all);
    [[nodiscard]] bool entry_matters(const Stock& stock, int picks_before, const Collection& all) const;
    [[nodiscard]] Worths drawn(const Stock& stock, int draws, const Collection& all);
    [[nodiscard]] Worths leave(const Stock& stock, const Collection& all);
    // See foresee.cpp.
    [[nodiscard]] Worths most_gathered(const Stock& stock, const Collection& all);
    [[nodiscard]] Worths most_of_pick(const Stock& stock, const Collection& all);
    [[nodiscard]] Worths least_gathered(const Stock& stock, const Collection& all);
    // What comes after the research, if marbles count then.
    struct Later {
        int marbles = 0;
        // Picks that may trigger something, the colours they find, and what listens to them (Stock::listening).
        int picks = 0;
        unsigned row_colors = 0;
        unsigned listening = 0;
        [[nodiscard]] std::uint64_t packed() const {
            return std::uint64_t{listening} << 32U | row_colors << 16U | static_cast<unsigned>(picks) << 8U |
                   static_cast<unsigned>(marbles);
        }
    };
    [[nodiscard]] Worths research_with(Marbles ring, const Later& later, const Collection& all);
    [[nodiscard]] Worths with_picks(Marbles ring, int picks, const Later& later, const Collection& all);
    [[nodiscard]] Worths with_row(Marbles ring, Marbles row, int from, int picks, const Later& later, const Worths& most,
                                  const Collection& all);
    [[nodiscard]] Worths most_left(const Stock& stock, const Collection& all);
    [[nodiscard]] Later most_later(const Stock& stock, const Collection& all) const;
    template <typename Worth>
    [[nodiscard]] Worths over_colors(const Stock& stock, const Worth& worth) const;
    template <typename Worth>
    [[nodiscard]] Worths over_draws(Marbles dispenser, int draws, const Worth& worth) const;

    // See offers.cpp.
    struct Offer;
    struct LevelOffers;
    struct Offers;
    [[nodiscard]] std::shared_ptr<const Offers> offers(const State& base, int most);
    void list_offers(const State& base, int level, int most, LevelOffers& offers);
    void add_offer(Bits alike, bool certain, int most, LevelOffers& offers);
    [[nodiscard]] Signature worths_of(const Offers& offers) const;
    void begin_research(State& state, int level) const;
    [[nodiscard]] Worths best_offer(const Offers& offers, Marbles ring, int later);

    [[nodiscard]] Worths chance(State state, const Worths& floor);
    [[nodiscard]] Worths colors(const State& state, const Worths& floor);
    struct Outcome {
        State state;
        double weight;
    };
    [[nodiscard]] Worths fold(const std::vector<Outcome>& outcomes, Luck luck, const Worths& floor);
    [[nodiscard]] Worths fold_above(const std::vector<Outcome>& outcomes, double floor);
    // The marble known to come next enters the row.
    void enter_known(State& state) const;
    // The marble of the reveal owed first turns out to be of that colour.
    void reveal(State& state, int color) const;
    [[nodiscard]] Worths refill(State state, int level, const Worths& floor);
    [[nodiscard]] bool left_open(const State& refilled, int level, const Closure& closure, const Worths& floor,
                                 Worths& worth);
    // `exact`: whether it is exact even if it is not better than the floor.
    [[nodiscard]] Worths research(const State& state, const Closure& closure, const Worths& floor, bool& exact);
    [[nodiscard]] Worths best_seen(const Drawing& drawing, const Closure& closure);
    struct Alone {
        int drawn = 0;
        Worths floor;
        std::vector<Worth<Terms>> worths;

        friend std::size_t outside(const Alone& alone) { return gizmos::outside(alone.worths); }
    };
    [[nodiscard]] Worths best_of_vague(Alone& alone, const Drawing& drawing, int vague) const;
    struct Way;
    struct SeenSet;
    // See by_set.cpp.
    struct OpenSet {
        SeenSet* set;
        double most;  // that the way can be worth
    };
    void raise_by_set(const Drawing& drawing, const Way& way, std::vector<SeenSet>& sets);
    void raise_open(const Drawing& drawing, const Way& way, std::vector<OpenSet>& open);
    [[nodiscard]] std::vector<double> values_by_set(const State& state, const std::vector<Order>& orders, Returned& returned);
    [[nodiscard]] std::optional<Spread> ask_by_set(const State& state, const std::vector<Order>& asked, Returned& returned);
    [[nodiscard]] Worths best_by_set(const Alone& alone, const Drawing& drawing) const;
    [[nodiscard]] Worths each_by_set(const Drawing& drawing, const Closure& closure);
    [[nodiscard]] Worths bound_seen(const Drawing& drawing, const Closure& closure);
    [[nodiscard]] Alone worths_alone(State state, int drawn, Bits apart);

    struct Choice;
    // A choice that a set may offer; one that any set offers has no class.
    struct Ranked {
        Worths worth;  // at most, if it is open
        const Choice* choice;
        bool open;
    };
    static constexpr std::size_t NO_CLASS = ~std::size_t{0};
    // See sets.cpp.
    [[nodiscard]] Worths sets_seen(const Drawing& drawing, std::vector<Choice>& choices, Choice& floor);
    [[nodiscard]] bool many_sets(const Drawing& drawing, const std::vector<Choice>& choices) const;
    struct InRoom;
    [[nodiscard]] Worths keep_of_set(const Drawing& drawing, const Way& way, Bits set, const Worths& floor);
    [[nodiscard]] State whatever_returned(const Action& kept, Bound bound, std::uint8_t vague) const;
    [[nodiscard]] Worths whatever_returns(const Action& kept, Bound bound);
    [[nodiscard]] Worths counts_seen(const Drawing& drawing, const Closure& closure);
    // What the ways whose worth depends on the set seen have in common.
    struct Merged {
        State state;
        Closure closure;
        bool any;
        bool reached;  // cards returned can be seen again
    };
    void sort_ways(const State& state, int card, Choice& choice, Merged& merged);
    void merge_ways(const Choice& choice, Merged& merged);
    [[nodiscard]] bool depends(const State& after, Merged& merged, int level, Bits returned);
    // The cards of a research that are still seen go to the bottom of their deck.
    void give_back(State& state) const;
    // How many of the cards returned to a deck next could be seen again.
    [[nodiscard]] int places_reached(const State& returned, const Closure& closure, int level) const;
    [[nodiscard]] Worths fold_counts(const Drawing& drawing, const std::vector<Bits>& coarse,
                                     const std::vector<Choice>& choices, const Choice& floor);
    void bound_ways(const Drawing& drawing, Choice& choice, const Worths& floor);
    template <typename Exact>
    [[nodiscard]] Worths best_of_counts(std::vector<Ranked>& ranking, const std::vector<Bits>& coarse,
                                        const std::vector<int>& taken, const Exact& exact) const;
    // The ways to keep a card of a research, each before the other cards are returned.
    void list_ways(const State& state, const Closure& closure, int card, std::vector<Action>& ways);
    // The cards of a research are returned: the state then, but for the order of those at the bottom. So many `places` are
    // kept there, and the order of the first few of them matters.
    struct Return {
        State state;
        Closure closure;
        Bits cards;
        int level = 0;
        int places = 0;
        int matter = 0;
    };
    static constexpr int FEW_PLACES = 2;
    [[nodiscard]] Return returning(const State& state);
    [[nodiscard]] Worths best_order(const Return& back, const Worths& floor);
    template <typename Visit>
    void each_order(const Return& back, const Visit& visit);

    // A set of cards split into classes of alike ones: a representative and how many there are.
    [[nodiscard]] std::vector<Bits> split(const State& state, const Closure& closure, Bits cards);
    // Holds until the next call.
    const std::vector<Payment>& paid_by(unsigned colors, int low, int high, Marbles ring, Bits converters);

    struct Price {
        Bits converters;
        std::uint32_t ring;
        std::uint8_t colors, low, high, spare;
        bool operator==(const Price&) const = default;
    };
    struct PriceHash {
        std::size_t operator()(const Price& price) const;
    };

    const Problem& problem_;
    Control& control_;
    Room& room_;
    Pulse pulse_;
    Purse purse_;
    Moves moves_;
    Alike alike_;
    Table<Terms>& table_;
    Cache<Price, std::vector<Payment>, PriceHash> payments_;
    struct SignatureHash {
        std::size_t operator()(const Signature& key) const { return static_cast<std::size_t>(key.low); }
    };
    Cache<Signature, Alone, SignatureHash> alone_;
    Cache<Signature, Worths, SignatureHash> worths_;  // of researches that wait, see foresee.cpp
    struct KnownOffers {
        std::shared_ptr<const Offers> all;

        friend std::size_t outside(const KnownOffers& known) { return known.all == nullptr ? 0 : known.all->bytes(); }
    };
    Cache<Signature, Signature, SignatureHash> worths_of_;  // by the state that waits for the research
    Cache<Signature, KnownOffers, SignatureHash> offers_;   // by what they are worth
    Counters counters_;

    // Values by set: those that search them, and whom they ask for what does not depend on the set.
    Table<BY_SET> family_table_;
    std::unique_ptr<Search<BY_SET>> family_;
    Counters by_set_;  // of earlier ones
    bool in_room_ = false;
    std::size_t at_once_ = 4096;  // so many sets, or fewer if there was no room
    bool asking_ = false;         // such a search is under way
    Returned* returned_ = nullptr;
    Search<1>* single_ = nullptr;
};

}  // namespace gizmos
