// The memory for values by set (by_set.cpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include "control.hpp"

namespace gizmos {

// It is much, so all threads share it, and one at a time works with it.
class Room {
public:
    // `beside`: what a thread alone would remember beside its table.
    explicit Room(std::size_t beside) : numbers(beside * 3 / 2), sets(beside / 2), beside_table(beside / 4) {}

    // Bytes for the numbers, the sets, and for what else is remembered for them.
    const std::size_t numbers;
    const std::size_t sets;
    const std::size_t beside_table;
    [[nodiscard]] std::size_t bytes() const { return numbers + sets + beside_table; }

    // Waits until no other thread works with it. Throws Stopped.
    [[nodiscard]] std::unique_lock<std::timed_mutex> enter(Pulse& pulse) {
        std::unique_lock lock(access_, std::defer_lock);
        while (!lock.try_lock_for(std::chrono::milliseconds(10))) {
            pulse.check();
        }
        return lock;
    }

private:
    std::timed_mutex access_;
};

}  // namespace gizmos
