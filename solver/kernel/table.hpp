// The transposition table: values by signature, in bounded memory, for any number of threads.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "state.hpp"
#include "values.hpp"

namespace gizmos {

// Grows by doubling up to its limit; from then on a new value takes the place of an old one of the same bucket. It is
// made of shards, each with its own lock, so that threads seldom wait for each other.
//
// A shard grows by a segment as large as all it has: half of each bucket moves there, and nothing is copied or freed.
// So its growth needs no room beside, and takes milliseconds even when the table has gigabytes.
template <int Terms>
class Table {
public:
    explicit Table(std::size_t bytes) : most_buckets_(bytes / sizeof(Bucket) / SHARDS) {}

    // Fills in the value, if it is there.
    [[nodiscard]] bool find(const Signature& key, Value<Terms>& value) {
        Shard& shard = shard_of(key);
        const Lock lock(shard);
        if (shard.buckets == 0) {
            return false;
        }
        for (const Entry& entry : bucket_of(shard, key)) {
            if (entry.key == key) {
                value = entry.value;
                return true;
            }
        }
        return false;
    }

    void store(const Signature& key, const Value<Terms>& value) {
        Shard& shard = shard_of(key);
        const Lock lock(shard);
        if (shard.used * 2 >= shard.buckets * BUCKET) {
            grow(shard);
        }
        if (shard.buckets == 0) {
            ++shard.replaced;
            return;
        }
        Bucket& bucket = bucket_of(shard, key);
        for (Entry& entry : bucket) {
            if (entry.key == key || entry.key == Signature{}) {
                if (entry.key != key) {
                    ++shard.used;
                }
                entry = {key, value};
                return;
            }
        }
        ++shard.replaced;
        bucket[key.high & (BUCKET - 1)] = {key, value};
    }

    [[nodiscard]] std::size_t bytes() const {
        std::size_t buckets = 0;
        for (const Shard& shard : shards_) {
            buckets += shard.buckets;
        }
        return buckets * sizeof(Bucket);
    }

    // How many values are gone since there was no room left.
    [[nodiscard]] std::uint64_t replaced() const {
        std::uint64_t sum = 0;
        for (const Shard& shard : shards_) {
            sum += shard.replaced;
        }
        return sum;
    }

private:
    static constexpr std::size_t SHARDS = 64;
    static constexpr std::size_t BUCKET = 8;
    static constexpr std::size_t FIRST_SIZE = 8;  // of a shard, in buckets
    static constexpr std::size_t SEGMENTS = 48;

    struct Entry {
        Signature key;
        Value<Terms> value;
    };
    using Bucket = std::array<Entry, BUCKET>;
    // The first segment has FIRST_SIZE buckets, each other one as many as all before it.
    struct alignas(64) Shard {
        std::atomic_flag busy;
        std::size_t buckets = 0;
        std::size_t used = 0;
        std::uint64_t replaced = 0;
        std::array<std::unique_ptr<Bucket[]>, SEGMENTS> segments;
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

    [[nodiscard]] Shard& shard_of(const Signature& key) { return shards_[key.high >> 58]; }
    [[nodiscard]] static Bucket& bucket_of(Shard& shard, const Signature& key) {
        return bucket_at(shard, key.low & (shard.buckets - 1));
    }
    [[nodiscard]] static Bucket& bucket_at(Shard& shard, std::size_t place) {
        const auto segment = static_cast<std::size_t>(std::bit_width(place / FIRST_SIZE));
        return shard.segments[segment][segment == 0 ? place : place - std::bit_floor(place)];
    }

    void grow(Shard& shard) {
        const std::size_t more = shard.buckets == 0 ? FIRST_SIZE : shard.buckets;
        if (shard.buckets + more > most_buckets_) {
            return;
        }
        const auto segment = static_cast<std::size_t>(std::bit_width(shard.buckets / FIRST_SIZE));
        shard.segments[segment] = std::make_unique<Bucket[]>(more);
        for (std::size_t place = 0; place < shard.buckets; ++place) {
            split(bucket_at(shard, place), shard.segments[segment][place], shard.buckets);
        }
        shard.buckets += more;
    }

    // Moves what belongs there to the upper bucket; in both the entries come first.
    static void split(Bucket& lower, Bucket& upper, std::size_t bit) {
        std::size_t kept = 0;
        std::size_t moved = 0;
        for (Entry& entry : lower) {
            if (entry.key == Signature{}) {
                break;
            }
            Entry& place = (entry.key.low & bit) != 0 ? upper[moved++] : lower[kept++];
            if (&place != &entry) {
                place = entry;
                entry = {};
            }
        }
    }

    std::size_t most_buckets_;
    std::array<Shard, SHARDS> shards_;
};

// Of one thread, and as large as it becomes: whoever uses it looks after that.
template <>
class Table<BY_SET> {
public:
    [[nodiscard]] bool find(const Signature& key, Spread& value) const {
        const auto known = values_.find(key);
        if (known == values_.end()) {
            return false;
        }
        value = known->second;
        return true;
    }
    void store(const Signature& key, const Spread& value) { values_[key] = value; }
    void clear() { values_.clear(); }
    [[nodiscard]] std::size_t bytes() const { return values_.size() * BYTES_OF_VALUE; }

private:
    static constexpr std::size_t BYTES_OF_VALUE = 96;  // with what the map keeps for it, apart from the numbers
    struct Hash {
        std::size_t operator()(const Signature& key) const { return static_cast<std::size_t>(key.low); }
    };
    std::unordered_map<Signature, Spread, Hash> values_;
};

}  // namespace gizmos
