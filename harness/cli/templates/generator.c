/* A plug-in for Raywalk: a plain generator of pseudo-legal moves on 64 squares.
 *
 * Put your own code in place of `board`, `move`, `set_up`, `generate`, `make_move` and `take_back`. The
 * functions at the end pass calls on, and raywalk.h says what each must do. */
#include <stdlib.h>
#include <string.h>

#include "raywalk.h"

/* ---- your board and your moves ------------------------------------------------------------------ */

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };
enum { WHITE_SHORT = 1, WHITE_LONG = 2, BLACK_SHORT = 4, BLACK_LONG = 8 };

typedef struct {
    int8_t squares[64]; /* from a1 to h8; pieces of White are positive, those of Black negative */
    int8_t side;        /* 1 if White moves, else -1 */
    int8_t castling;
    int8_t passed;      /* the square that a pawn has just passed, or -1 */
} board;

typedef struct {
    uint8_t from, to, promotion;
} move;

typedef struct {
    int8_t captured, castling, passed;
} undo;

/* The letter of each piece. */
static const char letters[] = " pnbrqk";

/* Reads the first four fields of a FEN. */
static int set_up(board *b, const char *fen) {
    memset(b, 0, sizeof *b);
    int file = 0, rank = 7;
    for (; *fen && *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            file = 0;
        } else if (*fen >= '1' && *fen <= '8') {
            file += *fen - '0';
        } else {
            const char *letter = strchr(letters, *fen | 32);
            if (!letter || file > 7 || rank < 0) return 0;
            int piece = (int)(letter - letters);
            b->squares[8 * rank + file++] = (int8_t)(*fen & 32 ? -piece : piece);
        }
    }
    if (rank != 0 || strlen(fen) < 6) return 0;
    b->side = fen[1] == 'w' ? 1 : -1;
    for (fen += 3; *fen && *fen != ' '; fen++) {
        if (*fen == 'K') b->castling |= WHITE_SHORT;
        if (*fen == 'Q') b->castling |= WHITE_LONG;
        if (*fen == 'k') b->castling |= BLACK_SHORT;
        if (*fen == 'q') b->castling |= BLACK_LONG;
    }
    b->passed = -1;
    if (fen[0] && fen[1] && fen[1] != '-') b->passed = (int8_t)(fen[1] - 'a' + 8 * (fen[2] - '1'));
    return 1;
}

/* ---- your generator ------------------------------------------------------------------------------ */

static const int steps[16][2] = {
    {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1},
    {1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1},
};

/* The square that lies a step away, or -1. */
static int next(int square, const int step[2]) {
    int file = square % 8 + step[0], rank = square / 8 + step[1];
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : 8 * rank + file;
}

/* Whether a piece of `side` attacks the square. */
static int is_attacked(const board *b, int square, int side) {
    for (int n = 0; n < 16; n++) {
        int distance = 0;
        for (int at = next(square, steps[n]); at >= 0; at = next(at, steps[n])) {
            int piece = b->squares[at] * side;
            distance++;
            if (n >= 8) {
                if (piece == KNIGHT) return 1;
                break;
            }
            if (piece == QUEEN || piece == (n < 4 ? ROOK : BISHOP)) return 1;
            if (distance == 1 && piece == KING) return 1;
            if (distance == 1 && piece == PAWN && n >= 4 && steps[n][1] == -side) return 1;
            if (b->squares[at]) break;
        }
    }
    return 0;
}

static int is_in_check(const board *b, int side) {
    for (int square = 0; square < 64; square++)
        if (b->squares[square] == KING * side) return is_attacked(b, square, -side);
    return 0;
}

static move *push(move *list, int from, int to, int promotion) {
    list->from = (uint8_t)from;
    list->to = (uint8_t)to;
    list->promotion = (uint8_t)promotion;
    return list + 1;
}

static move *push_pawn(move *list, int from, int to) {
    if (to >= 8 && to < 56) return push(list, from, to, EMPTY);
    for (int piece = KNIGHT; piece <= QUEEN; piece++) list = push(list, from, to, piece);
    return list;
}

/* Castling of the king on `from` with the rook that stands `to_rook` squares away. */
static move *push_castling(const board *b, move *list, int from, int to_rook) {
    int way = to_rook > 0 ? 1 : -1;
    for (int at = from + way; at != from + to_rook; at += way)
        if (b->squares[at]) return list;
    int to = from + 2 * way, enemy = -b->side;
    if (is_attacked(b, from, enemy) || is_attacked(b, from + way, enemy) || is_attacked(b, to, enemy)) return list;
    return push(list, from, to, EMPTY);
}

static uint32_t generate(const board *b, move *list, int captures, int quiets) {
    move *end = list;
    int side = b->side;
    for (int from = 0; from < 64; from++) {
        int piece = b->squares[from] * side;
        if (piece <= 0) continue;
        if (piece == PAWN) {
            int ahead = from + 8 * side;
            if (quiets && !b->squares[ahead]) {
                end = push_pawn(end, from, ahead);
                int on_start = from / 8 == (side > 0 ? 1 : 6);
                if (on_start && !b->squares[ahead + 8 * side]) end = push(end, from, ahead + 8 * side, EMPTY);
            }
            for (int file = -1; captures && file <= 1; file += 2) {
                const int step[2] = {file, side};
                int to = next(from, step);
                if (to >= 0 && (b->squares[to] * side < 0 || to == b->passed)) end = push_pawn(end, from, to);
            }
            continue;
        }
        int first = piece == KNIGHT ? 8 : piece == BISHOP ? 4 : 0;
        int last = piece == KNIGHT ? 16 : piece == ROOK ? 4 : 8;
        for (int n = first; n < last; n++) {
            for (int to = next(from, steps[n]); to >= 0; to = next(to, steps[n])) {
                int target = b->squares[to] * side;
                if (target > 0) break;
                if (target < 0 ? captures : quiets) end = push(end, from, to, EMPTY);
                if (target < 0 || piece == KNIGHT || piece == KING) break;
            }
        }
    }
    if (quiets) {
        /* Outside the loop over squares: a castling right says where the king stands. */
        int rights = side > 0 ? b->castling : b->castling >> 2, king = side > 0 ? 4 : 60;
        if (rights & WHITE_SHORT) end = push_castling(b, end, king, 3);
        if (rights & WHITE_LONG) end = push_castling(b, end, king, -4);
    }
    return (uint32_t)(end - list);
}

/* ---- make and unmake, if you have them ----------------------------------------------------------- */

/* The rights that are lost when a piece leaves or reaches a square. */
static const int8_t rights_of[64] = {
    [0] = WHITE_LONG, [4] = WHITE_SHORT | WHITE_LONG, [7] = WHITE_SHORT,
    [56] = BLACK_LONG, [60] = BLACK_SHORT | BLACK_LONG, [63] = BLACK_SHORT,
};

/* Moves the rook of a castling, or moves it back. */
static void move_rook(board *b, const move *m, int back) {
    int corner = m->to > m->from ? m->from + 3 : m->from - 4, beside = (m->from + m->to) / 2;
    int from = back ? beside : corner, to = back ? corner : beside;
    b->squares[to] = b->squares[from];
    b->squares[from] = EMPTY;
}

static int is_castling(int piece, const move *m) {
    return abs(piece) == KING && abs(m->from - m->to) == 2;
}

static int make_move(board *b, const move *m, undo *u) {
    int side = b->side, piece = b->squares[m->from];
    u->captured = b->squares[m->to];
    u->castling = b->castling;
    u->passed = b->passed;
    if (abs(piece) == PAWN && m->to == b->passed) b->squares[m->to - 8 * side] = EMPTY;
    b->squares[m->to] = (int8_t)(m->promotion ? m->promotion * side : piece);
    b->squares[m->from] = EMPTY;
    if (is_castling(piece, m)) move_rook(b, m, 0);
    b->castling &= (int8_t)~(rights_of[m->from] | rights_of[m->to]);
    b->passed = -1;
    if (abs(piece) == PAWN && abs(m->from - m->to) == 16) b->passed = (int8_t)((m->from + m->to) / 2);
    b->side = (int8_t)-side;
    return !is_in_check(b, side);
}

static void take_back(board *b, const move *m, const undo *u) {
    int side = -b->side, piece = m->promotion ? PAWN * side : b->squares[m->to];
    b->side = (int8_t)side;
    b->castling = u->castling;
    b->passed = u->passed;
    b->squares[m->from] = (int8_t)piece;
    b->squares[m->to] = u->captured;
    if (abs(piece) == PAWN && m->to == b->passed) b->squares[m->to - 8 * side] = (int8_t)(-PAWN * side);
    if (is_castling(piece, m)) move_rook(b, m, 1);
}

/* ---- what Raywalk calls -------------------------------------------------------------------------- */

/* A generator without tables. */
static const char *build(void **tables, uint64_t *table_bytes) {
    *tables = 0;
    *table_bytes = 0;
    return 0;
}

static int load(const void *tables, void *b, const char *fen) {
    (void)tables;
    return set_up(b, fen);
}

static uint32_t all(const void *tables, void *b, void *list) {
    (void)tables;
    return generate(b, list, 1, 1);
}

static uint32_t captures(const void *tables, void *b, void *list) {
    (void)tables;
    return generate(b, list, 1, 0);
}

static uint32_t quiets(const void *tables, void *b, void *list) {
    (void)tables;
    return generate(b, list, 0, 1);
}

static void to_uci(const void *tables, const void *b, const void *mv, char text[8]) {
    const move *m = mv;
    (void)tables, (void)b;
    text[0] = (char)('a' + m->from % 8);
    text[1] = (char)('1' + m->from / 8);
    text[2] = (char)('a' + m->to % 8);
    text[3] = (char)('1' + m->to / 8);
    text[4] = m->promotion ? letters[m->promotion] : 0;
    text[5] = 0;
}

static int from_uci(const void *tables, const void *b, const char *text, void *mv) {
    const char *promotion = text[4] ? strchr(letters, text[4]) : 0;
    (void)tables, (void)b;
    push(mv, text[0] - 'a' + 8 * (text[1] - '1'), text[2] - 'a' + 8 * (text[3] - '1'),
         promotion ? (int)(promotion - letters) : EMPTY);
    return 1;
}

static int make(const void *tables, void *b, const void *mv, void *u) {
    (void)tables;
    return make_move(b, mv, u);
}

static void unmake(const void *tables, void *b, const void *mv, const void *u) {
    (void)tables;
    take_back(b, mv, u);
}

static int attacked(const void *tables, const void *b, uint32_t square, int by_white) {
    (void)tables;
    return is_attacked(b, (int)square, by_white ? 1 : -1);
}

static const raywalk_design design = {
    .id = "{name}",
    .name = "{name}",
    .author = "you",
    .source = "this file",
    .year = 0,
    .control = RAYWALK_BRANCHY,
    .legality = RAYWALK_PSEUDO_LEGAL,
    .board_bytes = sizeof(board),
    .board_align = 1,
    .move_bytes = sizeof(move),
    .undo_bytes = sizeof(undo),
    .list_moves = 256,
    .build = build,
    .load = load,
    .generate = {all, captures, quiets},
    .to_uci = to_uci,
    .from_uci = from_uci,
    .make = make,
    .unmake = unmake,
    .perft = 0, /* yours, if it counts faster than Raywalk does with make and unmake */
    .attacked = attacked,
};

uint32_t raywalk_abi_version(void) { return RAYWALK_ABI_VERSION; }

const raywalk_design *raywalk_design_at(uint32_t number) { return number == 0 ? &design : 0; }
