// The transposition table: values by signature, in bounded memory, for any number of threads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "state.hpp"
#include "values.hpp"

namespace gizmos {

// Grows by doubling up to its limit; from then on a new value takes the place of an old one of the same bucket. It is
// made of shards, each with its own lock, so that threads seldom wait for each other.
template <int Terms>
class Table {
public:
    explicit Table(std::size_t bytes) : limit_(bytes / sizeof(Entry) / SHARDS) {}

    // Fills in the value, if it is there.
    [[nodiscard]] bool find(const Signature& key, Value<Terms>& value) {
        Shard& shard = shard_of(key);
        const Lock lock(shard);
        if (shard.entries.empty()) {
            return false;
        }
        const std::size_t start = slot(shard, key);
        for (std::size_t i = start; i < start + BUCKET; ++i) {
            if (shard.entries[i].key == key) {
                value = shard.entries[i].value;
                return true;
            }
        }
        return false;
    }

    void store(const Signature& key, const Value<Terms>& value) {
        Shard& shard = shard_of(key);
        const Lock lock(shard);
        if (shard.used * 2 >= shard.entries.size()) {
            grow(shard);
        }
        if (!shard.entries.empty()) {
            put(shard, key, value);
        }
    }

    [[nodiscard]] std::size_t bytes() const {
        std::size_t entries = 0;
        for (const Shard& shard : shards_) {
            entries += shard.entries.size();
        }
        return entries * sizeof(Entry);
    }

private:
    struct Entry {
        Signature key;
        Value<Terms> value;
    };
    struct alignas(64) Shard {
        std::atomic_flag busy;
        std::size_t used = 0;
        std::vector<Entry> entries;
    };
    class Lock {
    public:
        explicit Lock(Shard& shard) : shard_(shard) {
            while (shard_.busy.test_and_set(std::memory_order_acquire)) {
            }
        }
        ~Lock() { shard_.busy.clear(std::memory_order_release); }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

    private:
        Shard& shard_;
    };
    static constexpr std::size_t SHARDS = 64;
    static constexpr std::size_t BUCKET = 8;
    static constexpr std::size_t FIRST_SIZE = 64;

    [[nodiscard]] Shard& shard_of(const Signature& key) { return shards_[key.high >> 58]; }
    [[nodiscard]] static std::size_t slot(const Shard& shard, const Signature& key) {
        return key.low & (shard.entries.size() - BUCKET);
    }

    static void put(Shard& shard, const Signature& key, const Value<Terms>& value) {
        const std::size_t start = slot(shard, key);
        for (std::size_t i = start; i < start + BUCKET; ++i) {
            Entry& entry = shard.entries[i];
            if (entry.key == key || entry.key == Signature{}) {
                shard.used += entry.key == key ? 0 : 1;
                entry = {key, value};
                return;
            }
        }
        shard.entries[start + (key.high & (BUCKET - 1))] = {key, value};
    }

    // Old and new entries exist side by side while growing, so the limit counts both.
    void grow(Shard& shard) {
        const std::size_t larger = shard.entries.empty() ? FIRST_SIZE : shard.entries.size() * 2;
        if (larger + shard.entries.size() > limit_) {
            return;
        }
        std::vector<Entry> old(larger);
        old.swap(shard.entries);
        shard.used = 0;
        for (const Entry& entry : old) {
            if (!(entry.key == Signature{})) {
                put(shard, entry.key, entry.value);
            }
        }
    }

    std::size_t limit_;
    std::array<Shard, SHARDS> shards_;
};

}  // namespace gizmos
