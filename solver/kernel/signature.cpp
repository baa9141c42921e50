#include <cstring>

#include "state.hpp"

namespace gizmos {

namespace {

// The two halves of a 128-bit product, mixed.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

Signature signature(const State& state) {
    constexpr std::size_t words = sizeof(State) / 8;
    static_assert(words % 2 == 0);
    std::array<std::uint64_t, words> word;
    std::memcpy(word.data(), &state, sizeof(State));
    std::uint64_t low = 0x9E3779B97F4A7C15U;
    std::uint64_t high = 0xD1B54A32D192ED03U;
    for (std::size_t i = 0; i < words; i += 2) {
        low = mix(low ^ word[i], 0xA0761D6478BD642FU ^ word[i + 1]);
        high = mix(high ^ word[i + 1] ^ 0x8EBC6AF09C88C6E3U, 0xE7037ED1A0B428DBU ^ word[i]);
    }
    return {mix(low, 0x589965CC75374CC3U ^ high), mix(high, 0x1D8E4E27C47D124FU ^ low)};
}

Signature mixed(const Signature& context, std::uint64_t first, std::uint64_t second) {
    const std::uint64_t low = mix(context.low ^ first, 0xA0761D6478BD642FU ^ second);
    const std::uint64_t high = mix(context.high ^ second ^ 0x8EBC6AF09C88C6E3U, 0xE7037ED1A0B428DBU ^ first);
    return {mix(low, 0x589965CC75374CC3U ^ high), mix(high, 0x1D8E4E27C47D124FU ^ low)};
}

}  // namespace gizmos
