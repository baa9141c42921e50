// The Python face of the search: an object that keeps its table across calls.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "cards.hpp"
#include "reading.hpp"
#include "register.hpp"
#include "turn.hpp"

namespace nb = nanobind;

namespace gizmos {

namespace {

class PyTurn {
public:
    PyTurn(nb::handle position, nb::handle terms, nb::handle luck, std::size_t memory, std::size_t threads)
        : turn_(Turn::make(read_problem(position, terms, luck), memory, threads)),
          seat_(nb::cast<int>(position.attr("to_move"))) {
        turn_->control().watch([this] {
            const nb::gil_scoped_acquire python;
            if (PyErr_CheckSignals() != 0) {
                PyErr_Clear();
                return true;
            }
            try {
                tell();
            } catch (const nb::python_error& error) {
                if (!error.matches(PyExc_KeyboardInterrupt)) {
                    throw;
                }
                return true;
            }
            return false;
        });
    }

    PyTurn(const PyTurn&) = delete;
    PyTurn& operator=(const PyTurn&) = delete;
    // To give a large table back takes tens of milliseconds, for which nobody has to wait.
    ~PyTurn() {
        if (turn_->memory().table >= LARGE) {
            try {
                std::thread([turn = std::move(turn_)] {}).detach();
            } catch (const std::system_error&) {
                // No thread was to be had: then it is given back here.
            }
        }
    }

    void limit(double seconds) { turn_->control().start(seconds); }

    [[nodiscard]] std::string status() const {
        switch (turn_->control().reason()) {
            case Stop::no:
                return "proved";
            case Stop::time:
                return "time";
            case Stop::interrupted:
                break;
        }
        return "interrupted";
    }

private:
    struct Telling {
        Telling(PyTurn& turn, nb::handle told) : turn_(turn) {
            turn_.told_ = told;
            turn_.told_at_ = Control::Clock::now();
        }
        ~Telling() { turn_.told_ = nb::none(); }
        Telling(const Telling&) = delete;
        Telling& operator=(const Telling&) = delete;
        PyTurn& turn_;
    };

    void tell() {
        const Control::Clock::time_point now = Control::Clock::now();
        if (told_.is_none() || now - told_at_ < std::chrono::milliseconds(100)) {
            return;
        }
        told_at_ = now;
        const Progress progress = turn_->progress();
        told_(progress.states, progress.bounded, progress.actions, progress.lower, progress.upper);
    }

    Reading read(nb::handle position) { return read_position(turn_->problem(), seat_, position); }

    template <typename Find>
    auto searched(nb::handle position, Find find) {
        const Reading reading = read(position);
        const nb::gil_scoped_release others_may_run;
        return find(reading);
    }

public:
    auto value(nb::handle position) {
        return searched(position, [&](const Reading& reading) { return turn_->value(reading); });
    }
    // `told` is a function, or None: it is told now and then how far the search has come.
    auto actions(nb::handle position, int top, nb::handle told) {
        const Telling telling(*this, told);
        using Pair = std::pair<Numbers, Numbers>;
        return searched(position, [&](const Reading& reading) -> std::optional<std::vector<std::optional<Pair>>> {
            auto all = turn_->actions(reading, top);
            if (!all) {
                return std::nullopt;
            }
            std::vector<std::optional<Pair>> list;
            for (std::optional<Interval>& found : *all) {
                list.push_back(found ? std::optional(Pair(std::move(found->lower), std::move(found->upper)))
                                     : std::nullopt);
            }
            return list;
        });
    }
    auto research(nb::handle position) {
        return searched(position, [&](const Reading& reading) { return turn_->research(reading); });
    }
    auto keep(nb::handle position, int card) {
        const int index = card == 0 ? -1 : cards().index(card);
        return searched(position, [&](const Reading& reading) { return turn_->keep(reading, index); });
    }
    auto set_matters(nb::handle position) { return turn_->set_matters(read(position)); }
    auto reveal_matters(nb::handle position) { return turn_->reveal_matters(read(position)); }

    [[nodiscard]] nb::dict stats() const {
        const Counters counters = turn_->counters();
        nb::dict stats;
        stats["states"] = counters.states;
        stats["known"] = counters.known;
        stats["reveals_skipped"] = counters.reveals_skipped;
        stats["points_taken"] = counters.points_taken;
        stats["marbles_dropped"] = counters.marbles_dropped;
        stats["purses"] = counters.purses;
        stats["cards_dropped"] = counters.cards_dropped;
        stats["cards_alike"] = counters.cards_alike;
        stats["payments_dearer"] = counters.payments_dearer;
        stats["actions_left"] = counters.actions_left;
        stats["payments_merged"] = counters.payments_merged;
        stats["researches_bounded"] = counters.researches_bounded;
        stats["researches_alone"] = counters.researches_alone;
        stats["researches_counted"] = counters.researches_counted;
        stats["researches_full"] = counters.researches_full;
        stats["researches_by_set"] = counters.researches_by_set;
        stats["settled"] = counters.settled;
        stats["floored"] = counters.floored;
        stats["refuted"] = counters.refuted;
        stats["refills_open"] = counters.refills_open;
        stats["collections_cut"] = counters.collections_cut;
        stats["sets"] = counters.sets;
        stats["checks"] = counters.checks;
        const Memory memory = turn_->memory();
        stats["replaced"] = memory.replaced;
        stats["table_bytes"] = memory.table;
        stats["beside_table_bytes"] = memory.beside_table;
        return stats;
    }

private:
    static constexpr std::size_t LARGE = std::size_t{1} << 26;

    std::unique_ptr<Turn> turn_;
    int seat_;
    nb::handle told_ = nb::none();
    Control::Clock::time_point told_at_{};
};

}  // namespace

void register_search(nb::module_& module) {
    nb::class_<PyTurn>(module, "Turn", "The values of the positions of one turn, kept across calls.")
        .def(nb::init<nb::handle, nb::handle, nb::handle, std::size_t, std::size_t>(), nb::arg("position"), nb::arg("terms"),
             nb::arg("luck"), nb::arg("memory"), nb::arg("threads"))
        .def("limit", &PyTurn::limit, nb::arg("seconds"), "Start the clock; a negative number means no limit.")
        .def("status", &PyTurn::status, "'proved', or why the search was stopped.")
        .def("value", &PyTurn::value, nb::arg("position"))
        .def("actions", &PyTurn::actions, nb::arg("position"), nb::arg("top"), nb::arg("told").none() = nb::none(),
             "Bounds of all actions. `told` is called with states, actions with bounds, actions, lower and upper bound.")
        .def("research", &PyTurn::research, nb::arg("position"))
        .def("keep", &PyTurn::keep, nb::arg("position"), nb::arg("card"))
        .def("set_matters", &PyTurn::set_matters, nb::arg("position"))
        .def("reveal_matters", &PyTurn::reveal_matters, nb::arg("position"))
        .def("stats", &PyTurn::stats);
}

}  // namespace gizmos
