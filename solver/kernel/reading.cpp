#include "reading.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "cards.hpp"
#include "moves.hpp"

namespace nb = nanobind;

namespace gizmos {

namespace {

constexpr int MARBLES_PER_COLOR = 13;

// Card indices by card number; numbers are below 1000.
int index_of(nb::handle number) {
    static const std::array<std::int16_t, 1000> indices = [] {
        std::array<std::int16_t, 1000> made{};
        made.fill(-1);
        for (int card = 0; card < cards().size(); ++card) {
            made[static_cast<std::size_t>(cards()[card].id)] = static_cast<std::int16_t>(card);
        }
        return made;
    }();
    const auto id = nb::cast<unsigned>(number);
    const int index = id < indices.size() ? indices[id] : -1;
    if (index < 0) {
        throw std::invalid_argument("there is no card " + std::to_string(id));
    }
    return index;
}

std::vector<int> card_list(nb::handle numbers) {
    std::vector<int> list;
    for (nb::handle number : numbers) {
        list.push_back(index_of(number));
    }
    return list;
}

Bits card_set(nb::handle numbers) {
    Bits set;
    for (nb::handle number : numbers) {
        set.add(index_of(number));
    }
    return set;
}

Marbles marbles_of(nb::handle counts) {
    Marbles marbles;
    int color = 0;
    for (nb::handle count : counts) {
        marbles.packed |= nb::cast<std::uint32_t>(count) << (8 * color);
        ++color;
    }
    return marbles;
}

std::uint8_t small(std::size_t number) {
    if (number > 250) {
        throw std::invalid_argument("a number of " + std::to_string(number) + " is more than the kernel has room for");
    }
    return static_cast<std::uint8_t>(number);
}

AmountCondition read_amount(const std::string& what, int least) {
    if (what == "score") {
        return {Amount::score, least};
    }
    if (what == "total") {
        return {Amount::total, least};
    }
    if (what == "marbles") {
        return {Amount::marbles, least};
    }
    if (what == "gizmos") {
        return {Amount::gizmos, least};
    }
    return {Amount::level_3, least};
}

void read_condition(nb::handle condition, Problem& problem, Goal& goal) {
    const auto kind = nb::cast<std::string>(condition[0]);
    if (kind == "built" || kind == "archived") {
        const int card = index_of(condition[1]);
        problem.goal_cards.add(card);
        if (kind == "archived") {
            goal.archived.push_back(card);
            return;
        }
        std::size_t bit = 0;
        while (bit < problem.built_goals.size() && problem.built_goals[bit] != card) {
            ++bit;
        }
        if (bit == problem.built_goals.size()) {
            if (bit == MAX_BUILT_GOALS) {
                throw std::invalid_argument("more cards to build than the kernel has room for");
            }
            problem.built_goals.push_back(card);
        }
        goal.built = static_cast<std::uint16_t>(goal.built | 1U << bit);
        return;
    }
    const int least = nb::cast<int>(condition[2]);
    if (kind == "ring") {
        const int color = nb::cast<int>(condition[1]);
        goal.rings.push_back({color, least});
        problem.needs.ring_colors |= 1U << color;
        return;
    }
    const AmountCondition amount = read_amount(nb::cast<std::string>(condition[1]), least);
    goal.amounts.push_back(amount);
    Needs& needs = problem.needs;
    needs.score |= amount.what == Amount::score || amount.what == Amount::total;
    needs.gain |= amount.what == Amount::score || amount.what == Amount::total;
    needs.marbles |= amount.what == Amount::marbles;
    needs.built |= amount.what == Amount::gizmos;
    needs.level_3 |= amount.what == Amount::level_3;
}

Term read_term(nb::handle term, Problem& problem) {
    if (nb::isinstance<nb::str>(term)) {
        const auto name = nb::cast<std::string>(term);
        if (name == "score") {
            problem.needs.score = true;
            return {Measure::score, {}, {}};
        }
        if (name == "activations") {
            problem.needs.activations = true;
            return {Measure::activations, {}, {}};
        }
        problem.needs.marbles = true;
        return {Measure::marbles, {}, {}};
    }
    if (nb::isinstance<nb::float_>(term[0])) {
        problem.needs.score = problem.needs.marbles = true;
        return {Measure::mix, {}, {nb::cast<double>(term[0]), nb::cast<double>(term[1]), nb::cast<double>(term[2])}};
    }
    Term result{Measure::goal, {}, {}};
    for (nb::handle condition : term) {
        read_condition(condition, problem, result.goal);
    }
    return result;
}

// Points as they count towards the score, marbles aside.
int fixed_points(Bits built, int tokens) {
    int points = tokens;
    for (const int card : each(built)) {
        points += cards()[card].points + (cards()[card].special == Special::points_per_token ? tokens : 0);
    }
    return points;
}

int count_special(Bits built, Special special) { return (built & cards().with(special)).count(); }

void read_player(const Problem& problem, nb::handle player, Bits used, State& state) {
    const Bits built = card_set(player.attr("built"));
    const std::vector<int> archive = card_list(player.attr("archive"));
    int ring_limit = 5;
    int archive_limit = 1;
    int research_amount = 3;
    for (const int card : each(built)) {
        ring_limit += cards()[card].storage;
        archive_limit += cards()[card].archive;
        research_amount += cards()[card].research;
        if (!used.has(card) &&
            (cards()[card].trigger != Trigger::none || cards()[card].convert_to != Conversion::none)) {
            state.ready.add(card);
        }
    }
    state.ring = marbles_of(player.attr("ring"));
    state.ring_limit = static_cast<std::uint8_t>(ring_limit);
    for (const int card : archive) {
        state.archive.add(card);
    }
    state.archive_space = static_cast<std::int8_t>(archive_limit - static_cast<int>(archive.size()));
    state.research_amount = static_cast<std::uint8_t>(research_amount);
    state.discount_level_2 = static_cast<std::uint8_t>(count_special(built, Special::discount_level_2));
    state.discount_from_archive = static_cast<std::uint8_t>(count_special(built, Special::discount_from_archive));
    state.discount_from_research = static_cast<std::uint8_t>(count_special(built, Special::discount_from_research));
    state.points_per_energy = static_cast<std::uint8_t>(count_special(built, Special::points_per_energy));
    state.points_per_token = static_cast<std::uint8_t>(count_special(built, Special::points_per_token));
    state.can_file = count_special(built, Special::no_file) == 0 ? 1 : 0;
    state.can_research = count_special(built, Special::no_research) == 0 ? 1 : 0;
    state.tokens = nb::cast<std::uint16_t>(player.attr("tokens"));
    if (problem.needs.built) {
        state.built = static_cast<std::uint8_t>(built.count());
    }
    if (problem.needs.level_3) {
        state.level_3 = static_cast<std::uint8_t>((built & cards().level(3)).count());
    }
    for (std::size_t goal = 0; goal < problem.built_goals.size(); ++goal) {
        if (built.has(problem.built_goals[goal])) {
            state.goals = static_cast<std::uint16_t>(state.goals | 1U << goal);
        }
    }
}

void read_deck(const Problem& problem, nb::handle deck, std::size_t at, State& state) {
    std::vector<int> top = card_list(deck.attr("top"));
    std::vector<int> bottom = card_list(deck.attr("bottom"));
    const auto size = nb::cast<std::size_t>(deck.attr("size"));
    state.unknown[at] = small(size - top.size() - bottom.size());
    if (state.unknown[at] == 0) {
        top.insert(top.end(), bottom.begin(), bottom.end());
        bottom.clear();
    }
    // What is left of the known cards of the problem, and what has become known at the bottom since.
    const std::vector<std::uint8_t>& tops = problem.tops[at];
    std::size_t used = tops.size();
    if (!top.empty()) {
        used = static_cast<std::size_t>(std::find(tops.begin(), tops.end(), top.front()) - tops.begin());
    }
    state.top_used[at] = small(used);
    const auto lie_below = [&](int card) {
        if (state.ordered[at] == MAX_ORDERED) {
            ++state.below[at];
            return;
        }
        state.order[at][state.ordered[at]] = static_cast<std::uint8_t>(card);
        ++state.ordered[at];
    };
    for (std::size_t i = tops.size() - used; i < top.size(); ++i) {
        lie_below(top[i]);
    }
    for (const int card : bottom) {
        lie_below(card);
    }
}

void read_nexts(const Problem& problem, nb::handle next, State& state) {
    std::vector<std::uint8_t> nexts;
    for (nb::handle color : next) {
        nexts.push_back(nb::cast<std::uint8_t>(color));
    }
    const std::size_t known = problem.nexts.size();
    if (nexts.size() <= known && std::equal(nexts.begin(), nexts.end(), problem.nexts.end() - static_cast<std::ptrdiff_t>(nexts.size()))) {
        state.next_used = small(known - nexts.size());
        return;
    }
    if (nexts.size() != 1) {
        throw std::invalid_argument("this position is none of the turn that is searched");
    }
    state.next_used = small(known);
    state.next_new = static_cast<std::uint8_t>(1 + nexts[0]);
}

void read_turn(nb::handle turn, State& state, std::vector<int>& waiting) {
    state.acted = nb::cast<bool>(turn.attr("acted")) ? 1 : 0;
    waiting = card_list(turn.attr("triggered"));
    for (const int gizmo : waiting) {
        state.ready.remove(gizmo);
        ++state.waiting[static_cast<std::size_t>(cards().kind_of(gizmo))];
    }
    const nb::object pending = turn.attr("pending");
    if (!pending.is_none()) {
        const Card& gizmo = cards()[index_of(pending.attr("gizmo"))];
        const int done = nb::cast<int>(pending.attr("done"));
        state.pending = gizmo.effect;
        state.pending_left = static_cast<std::uint8_t>(gizmo.amount - done);
        state.pending_started = done > 0 ? 1 : 0;
    }
    const nb::object research = turn.attr("research");
    if (!research.is_none()) {
        if (nb::cast<int>(research.attr("unknown")) > 0) {
            throw std::invalid_argument("cards of a research that nobody knows");
        }
        state.research_level = nb::cast<std::uint8_t>(research.attr("level"));
        state.seen = card_set(research.attr("seen"));
    }
    for (nb::handle awaited : turn.attr("awaited")) {
        const auto kind = nb::cast<std::string>(awaited.attr("kind"));
        const auto level = nb::cast<int>(awaited.attr("level"));
        const int code = kind == "row"      ? owed::row
                         : kind == "next"   ? owed::next
                         : kind == "draw"   ? owed::draw
                         : kind == "refill" ? owed::refill + level
                                            : owed::research + level;
        if (state.owed_runs > 0 && state.owed_kind[state.owed_runs - 1U] == code) {
            ++state.owed_count[state.owed_runs - 1U];
        } else {
            Moves::owe(state, static_cast<std::uint8_t>(code), 1);
        }
    }
}

}  // namespace

Problem read_problem(nb::handle position, nb::handle terms, nb::handle luck) {
    Problem problem;
    const auto word = nb::cast<std::string>(luck);
    problem.luck = word == "worst" ? Luck::worst : word == "best" ? Luck::best : Luck::average;
    for (nb::handle term : terms) {
        problem.terms.push_back(read_term(term, problem));
    }
    if (problem.terms.empty() || problem.terms.size() > MAX_TERMS) {
        throw std::invalid_argument("more terms than the kernel has room for");
    }
    std::size_t at = 0;
    for (nb::handle deck : position.attr("decks")) {
        const std::vector<int> top = card_list(deck.attr("top"));
        const std::vector<int> bottom = card_list(deck.attr("bottom"));
        for (const int card : top) {
            problem.tops[at].push_back(static_cast<std::uint8_t>(card));
            problem.known.add(card);
        }
        for (const int card : bottom) {
            problem.known.add(card);
            if (nb::cast<std::size_t>(deck.attr("size")) == top.size() + bottom.size()) {
                problem.tops[at].push_back(static_cast<std::uint8_t>(card));
            }
        }
        ++at;
    }
    for (nb::handle color : position.attr("next")) {
        problem.nexts.push_back(nb::cast<std::uint8_t>(color));
    }
    problem.preview = nb::cast<int>(position.attr("preview"));
    const auto seat = nb::cast<std::size_t>(position.attr("to_move"));
    const nb::object player = position.attr("players")[seat];
    const Bits built = card_set(player.attr("built"));
    problem.start_score = fixed_points(built, nb::cast<int>(player.attr("tokens"))) +
                          count_special(built, Special::points_per_energy) * marbles_of(player.attr("ring")).total();
    problem.start_built = built.count();
    return problem;
}

Reading read_position(const Problem& problem, int seat, nb::handle position) {
    Reading reading;
    State& state = reading.state;
    const nb::object turn = position.attr("turn");
    const nb::object players = position.attr("players");
    const nb::object player = players[static_cast<std::size_t>(seat)];
    reading.over = nb::cast<int>(position.attr("to_move")) != seat;
    read_player(problem, player, card_set(turn.attr("used")), state);
    const Bits built = card_set(player.attr("built"));
    reading.gained = fixed_points(built, state.tokens) - problem.start_score;
    reading.built = built.count() - problem.start_built;
    if (problem.needs.gain) {
        state.gain = static_cast<std::int16_t>(reading.gained);
    }

    state.row = marbles_of(position.attr("row"));
    Marbles gone = state.row;
    Bits placed;
    for (nb::handle other : players) {
        gone += marbles_of(other.attr("ring"));
        placed |= card_set(other.attr("built")) | card_set(other.attr("archive"));
    }
    for (nb::handle color : position.attr("next")) {
        gone += Marbles::one(nb::cast<int>(color));
    }
    state.dispenser = Marbles{MARBLES_PER_COLOR * 0x01010101U} - gone;

    std::size_t at = 0;
    for (nb::handle row : position.attr("display")) {
        const Bits shown = card_set(row);
        state.display |= shown;
        state.shown[at] = static_cast<std::uint8_t>(shown.count());
        ++at;
    }
    read_turn(turn, state, reading.waiting);
    placed |= state.display | state.seen;
    at = 0;
    for (nb::handle deck : position.attr("decks")) {
        read_deck(problem, deck, at, state);
        placed |= card_set(deck.attr("top")) | card_set(deck.attr("bottom"));
        ++at;
    }
    state.pool = (cards().level(1) | cards().level(2) | cards().level(3)) & ~placed;
    read_nexts(problem, position.attr("next"), state);
    return reading;
}

}  // namespace gizmos
