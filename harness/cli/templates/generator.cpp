// A plug-in for Raywalk: a plain generator of pseudo-legal moves on 64 squares, in C++17.
//
// Put your own code in place of `Board`, `Move` and `generate`. The functions at the end pass calls on,
// and raywalk.h says what each must do.
#include <cstdlib>
#include <cstring>
#include <string>

#include "raywalk.h"

namespace {

// ---- your board and your moves --------------------------------------------------------------------

enum Piece { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum Rights { WHITE_SHORT = 1, WHITE_LONG = 2, BLACK_SHORT = 4, BLACK_LONG = 8 };
constexpr char LETTERS[] = " pnbrqk";

struct Move {
    std::uint8_t from, to, promotion;
};

struct Undo {
    std::int8_t captured, castling, passed;
};

struct Step {
    int file, rank;

    // The square that lies a step away, or -1.
    int operator()(int square) const {
        int to_file = square % 8 + file, to_rank = square / 8 + rank;
        bool is_on_board = to_file >= 0 && to_file < 8 && to_rank >= 0 && to_rank < 8;
        return is_on_board ? 8 * to_rank + to_file : -1;
    }
};

// Straight, diagonal, and those of the knight.
constexpr Step STEPS[16] = {
    {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
    {1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1},
};

struct Board {
    std::int8_t squares[64]; // from a1 to h8; pieces of White are positive, those of Black negative
    std::int8_t side;        // 1 if White moves, else -1
    std::int8_t castling;
    std::int8_t passed;      // the square that a pawn has just passed, or -1

    // Reads the first four fields of a FEN.
    bool set_up(const std::string &fen) {
        *this = Board{};
        passed = -1;
        int file = 0, rank = 7;
        std::size_t at = 0;
        for (; at < fen.size() && fen[at] != ' '; at++) {
            char c = fen[at];
            if (c == '/') {
                rank--;
                file = 0;
            } else if (c >= '1' && c <= '8') {
                file += c - '0';
            } else {
                const char *letter = std::strchr(LETTERS, c | 32);
                if (!letter || file > 7 || rank < 0) return false;
                int piece = static_cast<int>(letter - LETTERS);
                squares[8 * rank + file++] = static_cast<std::int8_t>(c & 32 ? -piece : piece);
            }
        }
        if (rank != 0 || fen.size() < at + 6) return false;
        side = fen[at + 1] == 'w' ? 1 : -1;
        for (at += 3; at < fen.size() && fen[at] != ' '; at++) {
            const char *right = std::strchr("KQkq", fen[at]);
            if (right) castling |= static_cast<std::int8_t>(1 << (right - "KQkq"));
        }
        if (at + 2 < fen.size() && fen[at + 1] != '-')
            passed = static_cast<std::int8_t>(fen[at + 1] - 'a' + 8 * (fen[at + 2] - '1'));
        return true;
    }

    // Whether a piece of `by` attacks the square.
    bool is_attacked(int square, int by) const {
        for (int n = 0; n < 16; n++) {
            int distance = 0;
            for (int at = STEPS[n](square); at >= 0; at = STEPS[n](at)) {
                int piece = squares[at] * by;
                distance++;
                if (n >= 8) {
                    if (piece == KNIGHT) return true;
                    break;
                }
                if (piece == QUEEN || piece == (n < 4 ? ROOK : BISHOP)) return true;
                if (distance == 1 && piece == KING) return true;
                if (distance == 1 && piece == PAWN && n >= 4 && STEPS[n].rank == -by) return true;
                if (squares[at]) break;
            }
        }
        return false;
    }

    bool is_in_check(int of) const {
        for (int square = 0; square < 64; square++)
            if (squares[square] == KING * of) return is_attacked(square, -of);
        return false;
    }

    // Returns whether the own king is not left in check.
    bool make(const Move &m, Undo &undo) {
        int own = side, piece = squares[m.from];
        undo = {squares[m.to], castling, passed};
        if (std::abs(piece) == PAWN && m.to == passed) squares[m.to - 8 * own] = EMPTY;
        squares[m.to] = static_cast<std::int8_t>(m.promotion ? m.promotion * own : piece);
        squares[m.from] = EMPTY;
        if (is_castling(piece, m)) move_rook(m, false);
        castling &= static_cast<std::int8_t>(~(rights_of(m.from) | rights_of(m.to)));
        bool is_double = std::abs(piece) == PAWN && std::abs(m.from - m.to) == 16;
        passed = static_cast<std::int8_t>(is_double ? (m.from + m.to) / 2 : -1);
        side = static_cast<std::int8_t>(-own);
        return !is_in_check(own);
    }

    void unmake(const Move &m, const Undo &undo) {
        side = static_cast<std::int8_t>(-side);
        int own = side, piece = m.promotion ? PAWN * own : squares[m.to];
        castling = undo.castling;
        passed = undo.passed;
        squares[m.from] = static_cast<std::int8_t>(piece);
        squares[m.to] = undo.captured;
        if (std::abs(piece) == PAWN && m.to == passed)
            squares[m.to - 8 * own] = static_cast<std::int8_t>(-PAWN * own);
        if (is_castling(piece, m)) move_rook(m, true);
    }

private:
    static bool is_castling(int piece, const Move &m) {
        return std::abs(piece) == KING && std::abs(m.from - m.to) == 2;
    }

    // Moves the rook of a castling, or moves it back.
    void move_rook(const Move &m, bool back) {
        int corner = m.to > m.from ? m.from + 3 : m.from - 4, beside = (m.from + m.to) / 2;
        int from = back ? beside : corner, to = back ? corner : beside;
        squares[to] = squares[from];
        squares[from] = EMPTY;
    }

    // The rights that are lost when a piece leaves or reaches a square.
    static int rights_of(int square) {
        switch (square) {
        case 0: return WHITE_LONG;
        case 4: return WHITE_SHORT | WHITE_LONG;
        case 7: return WHITE_SHORT;
        case 56: return BLACK_LONG;
        case 60: return BLACK_SHORT | BLACK_LONG;
        case 63: return BLACK_SHORT;
        default: return 0;
        }
    }
};

// ---- your generator --------------------------------------------------------------------------------

// Writes moves from the beginning of a list.
struct Writer {
    Move *end;

    void push(int from, int to, int promotion = EMPTY) {
        *end++ = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
                  static_cast<std::uint8_t>(promotion)};
    }

    void push_pawn(int from, int to) {
        if (to >= 8 && to < 56) return push(from, to);
        for (int piece = KNIGHT; piece <= QUEEN; piece++) push(from, to, piece);
    }

    // Castling of the king on `from` with the rook that stands `to_rook` squares away.
    void push_castling(const Board &b, int from, int to_rook) {
        int way = to_rook > 0 ? 1 : -1;
        for (int at = from + way; at != from + to_rook; at += way)
            if (b.squares[at]) return;
        for (int at = from; at != from + 3 * way; at += way)
            if (b.is_attacked(at, -b.side)) return;
        push(from, from + 2 * way);
    }
};

template <int STAGE> std::uint32_t generate(const Board &b, Move *list) {
    constexpr bool captures = STAGE != RAYWALK_QUIETS, quiets = STAGE != RAYWALK_CAPTURES;
    Writer moves{list};
    int side = b.side;
    for (int from = 0; from < 64; from++) {
        int piece = b.squares[from] * side;
        if (piece <= 0) continue;
        if (piece == PAWN) {
            int ahead = from + 8 * side;
            if (quiets && !b.squares[ahead]) {
                moves.push_pawn(from, ahead);
                bool on_start = from / 8 == (side > 0 ? 1 : 6);
                if (on_start && !b.squares[ahead + 8 * side]) moves.push(from, ahead + 8 * side);
            }
            for (int file = -1; captures && file <= 1; file += 2) {
                int to = Step{file, side}(from);
                if (to >= 0 && (b.squares[to] * side < 0 || to == b.passed)) moves.push_pawn(from, to);
            }
            continue;
        }
        int first = piece == KNIGHT ? 8 : piece == BISHOP ? 4 : 0;
        int last = piece == KNIGHT ? 16 : piece == ROOK ? 4 : 8;
        for (int n = first; n < last; n++) {
            for (int to = STEPS[n](from); to >= 0; to = STEPS[n](to)) {
                int target = b.squares[to] * side;
                if (target > 0) break;
                if (target < 0 ? captures : quiets) moves.push(from, to);
                if (target < 0 || piece == KNIGHT || piece == KING) break;
            }
        }
    }
    if (quiets) {
        // Outside the loop over squares: a castling right says where the king stands.
        int rights = side > 0 ? b.castling : b.castling >> 2, king = side > 0 ? 4 : 60;
        if (rights & WHITE_SHORT) moves.push_castling(b, king, 3);
        if (rights & WHITE_LONG) moves.push_castling(b, king, -4);
    }
    return static_cast<std::uint32_t>(moves.end - list);
}

// ---- what Raywalk calls ----------------------------------------------------------------------------

// A generator without tables.
const char *build(void **tables, std::uint64_t *table_bytes) {
    *tables = nullptr;
    *table_bytes = 0;
    return nullptr;
}

int load(const void *, void *board, const char *fen) {
    return static_cast<Board *>(board)->set_up(fen);
}

template <int STAGE> std::uint32_t stage(const void *, void *board, void *list) {
    return generate<STAGE>(*static_cast<const Board *>(board), static_cast<Move *>(list));
}

void to_uci(const void *, const void *, const void *move, char text[8]) {
    const Move &m = *static_cast<const Move *>(move);
    text[0] = static_cast<char>('a' + m.from % 8);
    text[1] = static_cast<char>('1' + m.from / 8);
    text[2] = static_cast<char>('a' + m.to % 8);
    text[3] = static_cast<char>('1' + m.to / 8);
    text[4] = m.promotion ? LETTERS[m.promotion] : '\0';
    text[5] = '\0';
}

int from_uci(const void *, const void *, const char *text, void *move) {
    auto square = [](const char *at) { return at[0] - 'a' + 8 * (at[1] - '1'); };
    const char *promotion = text[4] ? std::strchr(LETTERS, text[4]) : LETTERS;
    if (!promotion) return 0;
    Writer{static_cast<Move *>(move)}.push(square(text), square(text + 2),
                                           static_cast<int>(promotion - LETTERS));
    return 1;
}

int make(const void *, void *board, const void *move, void *undo) {
    return static_cast<Board *>(board)->make(*static_cast<const Move *>(move),
                                             *static_cast<Undo *>(undo));
}

void unmake(const void *, void *board, const void *move, const void *undo) {
    static_cast<Board *>(board)->unmake(*static_cast<const Move *>(move),
                                        *static_cast<const Undo *>(undo));
}

int attacked(const void *, const void *board, std::uint32_t square, int by_white) {
    return static_cast<const Board *>(board)->is_attacked(static_cast<int>(square), by_white ? 1 : -1);
}

raywalk_design table() {
    raywalk_design d{};
    d.id = d.name = "{name}";
    d.author = "you";
    d.source = "this file";
    d.control = RAYWALK_BRANCHY;
    d.legality = RAYWALK_PSEUDO_LEGAL;
    d.board_bytes = sizeof(Board);
    d.board_align = alignof(Board);
    d.move_bytes = sizeof(Move);
    d.undo_bytes = sizeof(Undo);
    d.list_moves = 256;
    d.build = build;
    d.load = load;
    d.generate[RAYWALK_ALL] = stage<RAYWALK_ALL>;
    d.generate[RAYWALK_CAPTURES] = stage<RAYWALK_CAPTURES>;
    d.generate[RAYWALK_QUIETS] = stage<RAYWALK_QUIETS>;
    d.to_uci = to_uci;
    d.from_uci = from_uci;
    d.make = make;
    d.unmake = unmake;
    d.attacked = attacked;
    return d;
}

} // namespace

std::uint32_t raywalk_abi_version(void) { return RAYWALK_ABI_VERSION; }

const raywalk_design *raywalk_design_at(std::uint32_t number) {
    static const raywalk_design design = table();
    return number == 0 ? &design : nullptr;
}
