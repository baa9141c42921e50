// What a thread has worked out, kept in bounded memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gizmos {

// The bytes that a value keeps outside itself.
template <typename Value>
[[nodiscard]] std::size_t outside(const Value&) {
    return 0;
}
template <typename Item>
[[nodiscard]] std::size_t outside(const std::vector<Item>& list) {
    return list.capacity() * sizeof(Item);
}

// Values by key, in so many bytes, what they keep outside themselves included. Grows by doubling; once that would be
// too much, a new value takes the place of an old one of the same bucket, and all are forgotten when they keep too much
// outside. So what goes beyond the bytes is one value, or the first few buckets, at most.
//
// References hold until the next value is put.
template <typename Key, typename Value, typename Hash>
class Cache {
public:
    explicit Cache(std::size_t bytes) : bytes_(bytes) {}

    [[nodiscard]] const Value* find(const Key& key) const {
        if (buckets_.empty()) {
            return nullptr;
        }
        for (const Slot& slot : buckets_[place(key)]) {
            if (slot.taken && slot.key == key) {
                return &slot.value;
            }
        }
        return nullptr;
    }

    const Value& put(const Key& key, Value value) {
        if (taken_ * 2 >= buckets_.size() * BUCKET) {
            grow();
        }
        const std::size_t more = outside(value);
        if (outside_ > 0 && outside_ + more + held() > bytes_) {
            forget();
        }
        outside_ += more;
        Slot& slot = slot_for(key);
        outside_ -= slot.taken ? outside(slot.value) : 0;
        taken_ += slot.taken ? 0 : 1;
        slot = {key, std::move(value), true};
        return slot.value;
    }

    [[nodiscard]] std::size_t bytes() const { return held() + outside_; }

    void forget() {
        std::fill(buckets_.begin(), buckets_.end(), Bucket{});
        taken_ = outside_ = 0;
    }

private:
    static constexpr std::size_t BUCKET = 4;
    static constexpr std::size_t FIRST_SIZE = 16;
    struct Slot {
        Key key{};
        Value value{};
        bool taken = false;
    };
    using Bucket = std::array<Slot, BUCKET>;

    [[nodiscard]] std::size_t held() const { return buckets_.size() * sizeof(Bucket); }

    // Hashes need not be good in every bit: the highest bits of the product depend on all of them.
    [[nodiscard]] static std::uint64_t mixed(const Key& key) { return Hash()(key) * 0x9E3779B97F4A7C15U; }
    [[nodiscard]] std::size_t place(const Key& key) const {
        return buckets_.size() == 1 ? 0 : static_cast<std::size_t>(mixed(key) >> (64 - std::countr_zero(buckets_.size())));
    }

    // The key's own slot, a free one, or that of the value to be replaced.
    Slot& slot_for(const Key& key) {
        Bucket& bucket = buckets_[place(key)];
        for (Slot& slot : bucket) {
            if (!slot.taken || slot.key == key) {
                return slot;
            }
        }
        return bucket[mixed(key) & (BUCKET - 1)];
    }

    // While growing, old and new buckets exist side by side.
    void grow() {
        const std::size_t larger = std::max(FIRST_SIZE, buckets_.size() * 2);
        if (!buckets_.empty() && (larger + buckets_.size()) * sizeof(Bucket) + outside_ > bytes_) {
            return;
        }
        std::vector<Bucket> old(larger);
        old.swap(buckets_);
        taken_ = 0;
        for (Bucket& bucket : old) {
            for (Slot& slot : bucket) {
                if (slot.taken) {
                    Slot& there = slot_for(slot.key);
                    outside_ -= there.taken ? outside(there.value) : 0;
                    taken_ += there.taken ? 0 : 1;
                    there = std::move(slot);
                }
            }
        }
    }

    std::size_t bytes_;
    std::size_t taken_ = 0;
    std::size_t outside_ = 0;
    std::vector<Bucket> buckets_;
};

}  // namespace gizmos
