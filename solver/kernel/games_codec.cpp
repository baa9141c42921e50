#include "games_codec.hpp"

#include <stdexcept>

namespace gizmos::games {

namespace {


class Reader {
public:
    Reader(std::span<const std::uint8_t> bytes, const Table& table) : bytes_(bytes), table_(table) {}

    int byte() {
        if (place_ >= bytes_.size()) throw std::invalid_argument("packed position: it ends too early");
        return bytes_[place_++];
    }
    // A number below `limit`.
    int below(int limit) {
        const int value = byte();
        if (value >= limit) throw std::invalid_argument("packed position: a value is out of range");
        return value;
    }
    std::uint8_t small(int limit) { return static_cast<std::uint8_t>(below(limit)); }
    int card() { return below(table_.size()); }
    Bits cards() {
        Bits set;
        for (int left = byte(); left > 0; --left) set.add(card());
        return set;
    }
    Marbles marbles() {
        Marbles result;
        for (int color = 0; color < COLORS; ++color) {
            result += marbles_of(color, below(marbles_per_color + 1));
        }
        return result;
    }
    [[nodiscard]] bool at_end() const { return place_ == bytes_.size(); }

private:
    std::span<const std::uint8_t> bytes_;
    const Table& table_;
    std::size_t place_ = 0;
};

class Writer {
public:
    std::vector<std::uint8_t> bytes;

    void byte(int value) { bytes.push_back(static_cast<std::uint8_t>(value)); }
    void cards(Bits set) {
        byte(set.count());
        visit_each(set, [&](int card) { byte(card); });
    }
    void marbles(Marbles value) {
        for (int color = 0; color < COLORS; ++color) byte(value[color]);
    }
};

void read_deck(Reader& in, Deck& deck, Bits& seen) {
    deck.size = in.small(Deck::capacity + 1);
    const int top = in.byte();
    if (top > deck.size) throw std::invalid_argument("packed position: a deck knows more cards than it has");
    for (int left = top; left > 0; --left) {
        const int card = in.card();
        deck.add_known_top(card);
        seen.add(card);
    }
    const int bottom = in.byte();
    if (top + bottom > deck.size) throw std::invalid_argument("packed position: a deck knows more cards than it has");
    for (int left = bottom; left > 0; --left) {
        const int card = in.card();
        deck.add_known_bottom(card);
        seen.add(card);
    }
}

void read_turn(Reader& in, Position& position, const Table& table) {
    Turn& turn = position.turn;
    turn.acted = in.below(2) != 0;
    turn.triggered = in.cards();
    turn.used = in.cards();
    visit_each(turn.used, [&](int card) {
        const std::uint8_t converter = table.card(card).converter;
        if (converter != no_converter) turn.used_converters |= std::uint32_t{1} << converter;
    });
    const int pending = in.below(table.size() + 1);
    turn.pending = pending == 0 ? no_card : static_cast<CardIndex>(pending - 1);
    turn.done = in.small(256);
    turn.research_level = in.small(deck_levels + 1);
    turn.seen = in.cards();
    turn.seen_unknown = in.small(Deck::capacity);
    const int runs = in.below(AwaitedRuns::capacity);
    std::array<Awaited, AwaitedRuns::capacity> awaited{};
    for (int i = 0; i < runs; ++i) {
        const auto kind = static_cast<RevealKind>(in.below(5));
        const bool card = kind == RevealKind::refill || kind == RevealKind::research;
        const std::uint8_t level = in.small(deck_levels + 1);
        if (card != (level != 0)) throw std::invalid_argument("packed position: a reveal has the wrong deck");
        awaited[static_cast<std::size_t>(i)] = {kind, level, in.small(256)};
    }
    for (int i = runs; i > 0; --i) position.awaited.push_front(awaited[static_cast<std::size_t>(i - 1)]);
}

void read_player(Reader& in, Player& player, const Table& table) {
    player.ring = in.marbles();
    const int low = in.byte();
    player.tokens = low | in.byte() << 8;
    visit_each(in.cards(), [&](int card) { player.build(card, table); });
    player.archive = in.cards();
}

void set_dispenser(Position& position) {
    int left[COLORS];
    for (int color = 0; color < COLORS; ++color) {
        left[color] = marbles_per_color - position.row[color];
        for (const Player& player : position.players) left[color] -= player.ring[color];
    }
    for (int place = 0; place < position.next.size(); ++place) --left[position.next.at(place)];
    for (int color = 0; color < COLORS; ++color) {
        if (left[color] < 0) throw std::invalid_argument("packed position: more marbles than there are");
        position.dispenser += marbles_of(color, left[color]);
    }
}

}  // namespace

Position decode(std::span<const std::uint8_t> bytes, const Table& table) {
    Reader in(bytes, table);
    Position position;
    position.player_count = in.small(max_players + 1);
    if (position.player_count == 0) throw std::invalid_argument("packed position: no players");
    position.to_move = in.small(position.player_count);
    position.first_player = in.small(position.player_count);
    position.preview = in.small(2);
    position.row = in.marbles();
    for (int left = in.below(COLORS * marbles_per_color + 1); left > 0; --left) position.next.push(in.below(COLORS));
    position.display = in.cards();
    Bits seen = position.display;
    for (Deck& deck : position.decks) read_deck(in, deck, seen);
    read_turn(in, position, table);
    seen = seen | position.turn.seen;
    for (int seat = 0; seat < position.player_count; ++seat) {
        Player& player = position.players[static_cast<std::size_t>(seat)];
        read_player(in, player, table);
        seen = seen | player.built | player.archive;
        position.last_round = position.last_round || player.ends_game();
    }
    if (!in.at_end()) throw std::invalid_argument("packed position: bytes are left over");
    for (int level = 1; level <= deck_levels; ++level) position.unseen = position.unseen | (table.level(level) & ~seen);
    set_dispenser(position);
    return position;
}

std::vector<std::uint8_t> encode(const Position& position) {
    Writer out;
    out.byte(position.player_count);
    out.byte(position.to_move);
    out.byte(position.first_player);
    out.byte(position.preview);
    out.marbles(position.row);
    out.byte(position.next.size());
    for (int place = 0; place < position.next.size(); ++place) out.byte(position.next.at(place));
    out.cards(position.display);
    for (const Deck& deck : position.decks) {
        out.byte(deck.size);
        out.byte(deck.known_top());
        for (int place = 0; place < deck.known_top(); ++place) out.byte(deck.known(place));
        out.byte(deck.known_bottom());
        for (int place = 0; place < deck.known_bottom(); ++place) out.byte(deck.known(deck.known_top() + place));
    }
    const Turn& turn = position.turn;
    out.byte(turn.acted ? 1 : 0);
    out.cards(turn.triggered);
    out.cards(turn.used);
    out.byte(turn.pending == no_card ? 0 : turn.pending + 1);
    out.byte(turn.pending == no_card ? 0 : turn.done);
    out.byte(turn.research_level);
    out.cards(turn.seen);
    out.byte(turn.seen_unknown);
    out.byte(position.awaited.size());
    for (int place = 0; place < position.awaited.size(); ++place) {
        const Awaited& run = position.awaited.at(place);
        out.byte(static_cast<int>(run.kind));
        out.byte(run.level);
        out.byte(run.number);
    }
    for (int seat = 0; seat < position.player_count; ++seat) {
        const Player& player = position.players[static_cast<std::size_t>(seat)];
        out.marbles(player.ring);
        out.byte(player.tokens & 0xFF);
        out.byte(player.tokens >> 8 & 0xFF);
        out.cards(player.built);
        out.cards(player.archive);
    }
    return out.bytes;
}

}  // namespace gizmos::games
