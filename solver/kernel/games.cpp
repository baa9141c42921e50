// The Python face of whole games: positions come and go as bytes (games_codec.hpp), moves as tuples.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "games_codec.hpp"
#include "games_perft.hpp"
#include "games_playout.hpp"
#include "register.hpp"

namespace nb = nanobind;

namespace gizmos {

namespace {

using namespace games;

using Numbers = std::vector<int>;
// Kind, colour or level or card number, source, number of the gizmo (0: none), marbles spent, numbers of converters used.
using ActionTuple = std::tuple<int, int, int, int, std::tuple<int, int, int, int>, Numbers>;
// Kind of the reveal, and its colour or card number.
using RevealTuple = std::tuple<int, int>;

// Games between two looks at whether Ctrl-C was pressed: a few milliseconds.
constexpr std::size_t games_between_polls = 16;

const Table& table() {
    static const Table facts(cards());
    return facts;
}

Position position_of(const nb::bytes& packed) {
    return decode({reinterpret_cast<const std::uint8_t*>(packed.c_str()), packed.size()}, table());
}

nb::bytes bytes_of(const Position& position) {
    const std::vector<std::uint8_t> packed = encode(position);
    return nb::bytes(packed.data(), packed.size());
}

// Throws what Python has to say, Ctrl-C above all. For use while the GIL is released.
void poll() {
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

int number_of(int index) { return cards()[index].id; }

ActionTuple tuple_of(const Action& action) {
    const bool card = action.kind == ActionKind::file || action.kind == ActionKind::build;
    Numbers converters;
    for (std::uint32_t rest = action.converters; rest != 0; rest &= rest - 1) {
        converters.push_back(number_of(table().converters()[static_cast<std::size_t>(std::countr_zero(rest))].card));
    }
    const Marbles& spend = action.spend;
    return {static_cast<int>(action.kind),
            card ? number_of(action.value) : action.value,
            static_cast<int>(action.source),
            action.gizmo == no_card ? 0 : number_of(action.gizmo),
            {spend[0], spend[1], spend[2], spend[3]},
            std::move(converters)};
}

RevealTuple tuple_of(RevealKind kind, int outcome) {
    const bool card = kind == RevealKind::refill || kind == RevealKind::research;
    return {static_cast<int>(kind), card ? number_of(outcome) : outcome};
}

std::vector<ActionTuple> legal(const nb::bytes& packed) {
    Rules rules(table());
    Actions actions;
    rules.legal(position_of(packed), actions);
    std::vector<ActionTuple> result;
    for (const Action& action : actions) result.push_back(tuple_of(action));
    return result;
}

// Columns of numbers, one after another for each game: scores and places of all seats, decisions, choices, and 1 for a game
// that is over.
struct Columns {
    std::vector<std::int32_t> scores, places, decisions, choices, finished;

    void add(const Result& result, int seats) {
        scores.insert(scores.end(), result.scores.begin(), result.scores.begin() + seats);
        places.insert(places.end(), result.places.begin(), result.places.begin() + seats);
        decisions.push_back(result.decisions);
        choices.push_back(result.choices);
        finished.push_back(result.finished ? 1 : 0);
    }
};

nb::bytes bytes_of(const std::vector<std::int32_t>& column) {
    return nb::bytes(column.data(), column.size() * sizeof(std::int32_t));
}

std::tuple<nb::bytes, nb::bytes, nb::bytes, nb::bytes, nb::bytes> playouts(
    const nb::bytes& packed, const std::vector<std::uint64_t>& seeds, bool greedy, int limit) {
    const Position start = position_of(packed);
    Columns columns;
    {
        const nb::gil_scoped_release released;
        Playout playout(table(), greedy ? Policy::greedy : Policy::random, limit);
        for (std::size_t game = 0; game < seeds.size(); ++game) {
            if (game % games_between_polls == games_between_polls - 1) poll();
            Position position = start;
            columns.add(playout.play(position, seeds[game]), start.player_count);
        }
    }
    return {bytes_of(columns.scores), bytes_of(columns.places), bytes_of(columns.decisions), bytes_of(columns.choices),
            bytes_of(columns.finished)};
}

// One game move by move: (0, action, number of legal actions) or (1, reveal, 0), and the last position.
std::tuple<nb::list, nb::bytes> traced_playout(const nb::bytes& packed, std::uint64_t seed, bool greedy, int limit) {
    Position position = position_of(packed);
    std::vector<Move> trace;
    Playout(table(), greedy ? Policy::greedy : Policy::random, limit).play(position, seed, &trace);
    nb::list moves;
    for (const Move& move : trace) {
        if (move.is_reveal) {
            moves.append(std::tuple(1, tuple_of(move.kind, move.outcome), 0));
        } else {
            moves.append(std::tuple(0, tuple_of(move.action), move.options));
        }
    }
    return {std::move(moves), bytes_of(position)};
}

std::uint64_t perft(const nb::bytes& packed, int depth) {
    Position position = position_of(packed);
    const nb::gil_scoped_release released;
    Rules(table()).settle(position);
    return Perft(table(), poll).count(position, depth);
}

std::vector<std::uint64_t> perft_divide(const nb::bytes& packed, int depth) {
    Position position = position_of(packed);
    const nb::gil_scoped_release released;
    Rules(table()).settle(position);
    return Perft(table(), poll).divide(position, depth);
}

}  // namespace

void register_games(nb::module_& module) {
    module.def("games_repacked", [](const nb::bytes& packed) { return bytes_of(position_of(packed)); }, nb::arg("packed"),
               "A packed position read and written again.");
    module.def("games_legal", &legal, nb::arg("packed"), "All legal actions, in the order of engine.legal_actions.");
    module.def("games_playouts", &playouts, nb::arg("packed"), nb::arg("seeds"), nb::arg("greedy"), nb::arg("limit"),
               "Play whole games; int32 columns of scores, places, decisions, choices, finished.");
    module.def("games_traced_playout", &traced_playout, nb::arg("packed"), nb::arg("seed"), nb::arg("greedy"),
               nb::arg("limit"), "Play one game; its moves, and its last position.");
    module.def("games_perft", &perft, nb::arg("packed"), nb::arg("depth"), "Count sequences of actions.");
    module.def("games_perft_divide", &perft_divide, nb::arg("packed"), nb::arg("depth"),
               "Count sequences of actions for each first move.");
}

}  // namespace gizmos
