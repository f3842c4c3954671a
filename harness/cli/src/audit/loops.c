/* What each walk would be in C, as a programmer of its time would write it: one function for one ray or list,
 * stage "all", plain data. Nothing runs this file. `raywalk audit` shows beside each design the instructions
 * that one visited empty square takes here; the numbers are in `loops.toml`, and a test in `c_loops.rs` counts them in
 * what the compiler makes of this file. As in an entry of a design, the first three arguments are tables, board and
 * list, by which the audit knows them. To look at the code:
 *
 *     gcc -O2 -march=x86-64-v3 -S -o - loops.c
 */

#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

enum { OWN = 8 }; /* the colour bit of the side to move; empty cells are 0 */

/* Keeps a selection that the compiler would make a branch. */
#define SELECT(c, one, other) (__builtin_expect_with_probability(!!(c), 1, 0.5) ? (one) : (other))

/* Keeps the compiler from joining two reads, or from splitting a variable in two, by which a loop becomes longer. */
#define HIDE(value) __asm__("" : "+r"(value))

/* mailbox/10x12, 15x12, 16x12: a guard, which is not empty, ends the ray. `to` is the target, shifted. */
u16 *padded(const u16 *to, const u8 *board, u16 *end, u64 cell, u64 step, unsigned origin)
{
    while (!board[cell += step])
        *end++ = origin | to[cell];
    return end;
}

/* mailbox/0x88: the square is (cell + (cell & 7)) / 2. */
u16 *ox88(const void *none, const u8 *board, u16 *end, unsigned cell, unsigned step, unsigned origin)
{
    while (!((cell += step) & 0x88) && !board[cell])
        *end++ = origin | (cell + (cell & 7)) << 5;
    return end;
}

/* mailbox/unguarded-8x8: no step goes further than two files. */
u16 *unguarded(const void *none, const u8 *board, u16 *end, unsigned cell, unsigned step, unsigned origin)
{
    for (;;) {
        unsigned next = cell + step;
        if (next > 63 || (cell & 7) + 2 - (next & 7) > 4 || board[next])
            return end;
        *end++ = origin | next << 6;
        cell = next;
    }
}

/* bell/last-square: own piece, any piece, last square. */
u16 *bell(const void *none, const u8 *board, u16 *end, u64 cell, u64 step, u64 last, unsigned origin)
{
    for (;;) {
        u8 code = board[cell += step];
        if (code & OWN)
            return end;
        *end++ = origin | cell << 6;
        if (code || cell == last)
            return end;
    }
}

/* bell/steps: counts down. */
u16 *bell_steps(const void *none, const u8 *board, u16 *end, u64 cell, u64 step, unsigned left, unsigned origin)
{
    for (;;) {
        u8 code = board[cell += step];
        if (code & OWN)
            return end;
        *end++ = origin | cell << 6;
        if (code || !--left)
            return end;
    }
}

/* bell/empty-first: an own piece is asked for behind the test for an empty square. */
u16 *bell_empty_first(const void *none, const u8 *board, u16 *end, u64 cell, u64 step, u64 last, unsigned origin)
{
    for (;;) {
        u8 code = board[cell += step];
        if (code) {
            if (!(code & OWN))
                *end++ = origin | cell << 6;
            return end;
        }
        *end++ = origin | cell << 6;
        if (cell == last)
            return end;
    }
}

/* bell/two-boards: the board of the own pieces, then that of the enemy's behind it. */
u16 *bell_two_boards(const void *none, const u8 *own, u16 *end, u64 cell, u64 step, u64 last, unsigned origin)
{
    const u8 *enemy = own + 64;
    for (;;) {
        cell += step;
        if (own[cell])
            return end;
        *end++ = origin | cell << 6;
        if (enemy[cell] || cell == last)
            return end;
    }
}

/* butterfly/i16 and u8: pairs of links, one test for the end on each side. */
#define BUTTERFLY(name, link)                                                                        \
    struct name##_pair { link position, direction; };                                                \
    u16 *name(const struct name##_pair *row, const u8 *board, u16 *end, u64 origin, unsigned shifted) \
    {                                                                                                \
        u64 cell = row[origin].position;                                                             \
        for (;;) {                                                                                   \
            u8 code = board[cell];                                                                   \
            if (!code) {                                                                             \
                *end++ = shifted | cell << 6;                                                        \
                if ((cell = row[cell].position) == origin)                                           \
                    return end;                                                                      \
            } else {                                                                                 \
                if (!(code & OWN))                                                                   \
                    *end++ = shifted | cell << 6;                                                    \
                if ((cell = row[cell].direction) == origin)                                          \
                    return end;                                                                      \
            }                                                                                        \
        }                                                                                            \
    }
BUTTERFLY(butterfly_i16, u16)
BUTTERFLY(butterfly_u8, u8)

/* butterfly/i16-split and u8-split: two arrays. The loops of gnu-captures and u8-used-kinds are those of u8-split. */
#define SPLIT(name, link)                                                                            \
    u16 *name(const link *position, const u8 *board, u16 *end, const link *direction, u64 origin,    \
              unsigned shifted)                                                                      \
    {                                                                                                \
        u64 cell = position[origin];                                                                 \
        for (;;) {                                                                                   \
            u8 code = board[cell];                                                                   \
            if (!code) {                                                                             \
                *end++ = shifted | cell << 6;                                                        \
                if ((cell = position[cell]) == origin)                                               \
                    return end;                                                                      \
            } else {                                                                                 \
                if (!(code & OWN))                                                                   \
                    *end++ = shifted | cell << 6;                                                    \
                if ((cell = direction[cell]) == origin)                                              \
                    return end;                                                                      \
            }                                                                                        \
        }                                                                                            \
    }
SPLIT(butterfly_i16_split, u16)
SPLIT(butterfly_u8_split, u8)

/* butterfly/colour-board: a board of colours, of which 2 is neutral. */
u16 *colour_board(const u8 *position, const u8 *colours, u16 *end, const u8 *direction, u64 origin,
                  unsigned shifted, u8 own)
{
    u64 cell = position[origin];
    for (;;) {
        u8 colour = colours[cell];
        if (colour == 2) {
            *end++ = shifted | cell << 6;
            if ((cell = position[cell]) == origin)
                return end;
        } else {
            if (colour != own)
                *end++ = shifted | cell << 6;
            if ((cell = direction[cell]) == origin)
                return end;
        }
    }
}

/* butterfly/half-board: links are cells of a 0x88 board, the row is that of the origin. */
u16 *half_board(const u8 *position, const u8 *board, u16 *end, u64 origin, unsigned shifted)
{
    u64 cell = position[origin];
    for (;;) {
        u8 code = board[cell];
        if (!code) {
            *end++ = shifted | (cell + (cell & 7)) << 5;
            if ((cell = position[cell]) == origin)
                return end;
        } else {
            if (!(code & OWN))
                *end++ = shifted | (cell + (cell & 7)) << 5;
            if ((cell = position[cell + 8]) == origin)
                return end;
        }
    }
}

/* butterfly/branch-free: both links in one word. */
u16 *branch_free(const u16 *row, const u8 *board, u16 *end, u64 origin, unsigned shifted)
{
    u64 cell = row[origin] & 63;
    do {
        u8 code = board[cell];
        unsigned word = row[cell];
        *end = shifted | cell << 6;
        end += ~code >> 3 & 1; /* not own */
        unsigned position = word & 63, direction = word >> 10;
        cell = SELECT(code, direction, position);
    } while (cell != origin);
    return end;
}

/* butterfly/half-board-branch-free. */
u16 *half_board_branch_free(const u8 *row, const u8 *board, u16 *end, u64 origin, unsigned shifted)
{
    u64 cell = row[origin];
    do {
        u8 code = board[cell];
        *end = shifted | (cell + (cell & 7)) << 5;
        end += ~code >> 3 & 1;
        cell = row[cell + 8 * (code != 0)];
    } while (cell != origin);
    return end;
}

/* ferret/pointer: the next element, or the first of the next ray. The iteration for an empty square is also that of
 * ferret/conditional-write. */
struct ferret { int square; const struct ferret *blocked; };
u64 ferret(const struct ferret *at, const u8 *board, u16 *list, u64 end, unsigned origin)
{
    i64 to = at->square;
    for (;;) {
        if (!board[to]) {
            list[end] = origin | to << 6;
            to = (++at)->square;
            ++end;
            HIDE(end);
            if (to < 0)
                return end;
            continue;
        }
        HIDE(board);
        if (!(board[to] & OWN))
            list[end++] = origin | to << 6;
        if (!(at = at->blocked))
            return end;
        to = at->square;
    }
}

/* ferret/index32 and index16. */
#define FERRET(name, square_type, link)                                                              \
    struct name##_element { square_type square; link blocked; };                                     \
    u64 name(const struct name##_element *elements, const u8 *board, u16 *list, u64 end, u64 at,     \
             unsigned origin)                                                                        \
    {                                                                                                \
        i64 to = elements[at].square;                                                                \
        for (;;) {                                                                                   \
            if (!board[to]) {                                                                        \
                list[end] = origin | to << 6;                                                        \
                to = elements[++at].square;                                                          \
                ++end;                                                                               \
                HIDE(end);                                                                           \
                if (to < 0)                                                                          \
                    return end;                                                                      \
                continue;                                                                            \
            }                                                                                        \
            HIDE(board);                                                                             \
            if (!(board[to] & OWN))                                                                  \
                list[end++] = origin | to << 6;                                                      \
            if (!(at = elements[at].blocked))                                                        \
                return end;                                                                          \
            to = elements[at].square;                                                                \
        }                                                                                            \
    }
FERRET(ferret_index32, int32_t, u32)
FERRET(ferret_index16, int16_t, u16)

/* ferret/end-origin: both ends of the list are the origin. */
u64 ferret_end_origin(const struct ferret_index16_element *elements, const u8 *board, u16 *list, u64 end, u64 at,
                      i64 from, unsigned origin)
{
    i64 to = elements[at].square;
    for (;;) {
        if (!board[to]) {
            list[end] = origin | to << 6;
            to = elements[++at].square;
            ++end;
            HIDE(end);
            if (to == from)
                return end;
            continue;
        }
        HIDE(board);
        if (!(board[to] & OWN))
            list[end++] = origin | to << 6;
        at = elements[at].blocked;
        to = elements[at].square;
        if (to == from)
            return end;
    }
}

/* The elements of Diep are pairs of square and skip; the list ends with its origin. `past` is 6, the number of codes
 * of own pieces, of which `first` is the lowest: a variable, so that the comparison leaves its result in the carry. */
#define OF_OWN(code) ((code) - first < past)
#define MASKED(skip, bit) (2 + 2 * ((skip) & -(u64)(bit)))

/* diep/conditional-write: the next element, or as many further as the mask keeps of the skip. */
u64 diep(const u8 *at, const u8 *board, u16 *list, u8 origin, u64 end, unsigned shifted, u32 first, u32 past)
{
    u64 to = at[0];
    do {
        u64 skip = at[1];
        u32 code = board[to];
        list[end] = shifted | to << 6;
        end += !OF_OWN(code);
        at += MASKED(skip, (u8)code != 0);
        to = at[0];
    } while ((u8)to != origin);
    return end;
}

/* diep/mixed: a branch around the store. */
u16 *diep_mixed(const u8 *at, const u8 *board, u16 *end, u8 origin, unsigned shifted, u32 first, u32 past)
{
    u64 to = at[0];
    do {
        u64 skip = at[1];
        u32 code = board[to];
        if (!OF_OWN(code))
            *end++ = shifted | to << 6;
        at += MASKED(skip, (u8)code != 0);
        to = at[0];
    } while ((u8)to != origin);
    return end;
}

/* diep/branchy-advance: a branch instead of the mask. */
u64 diep_branchy_advance(const u8 *at, const u8 *board, u16 *list, u8 origin, u64 end, unsigned shifted, u32 first,
                         u32 past)
{
    u64 to = at[0];
    do {
        u32 code = board[to];
        list[end] = shifted | to << 6;
        end += !OF_OWN(code);
        at += 2;
        if (code)
            at += 2 * at[-1];
        to = at[0];
    } while ((u8)to != origin);
    return end;
}

/* diep/branchy: both branches. */
u16 *diep_branchy(const u8 *at, const u8 *board, u16 *end, u8 origin, unsigned shifted, u32 first, u32 past)
{
    u64 to = at[0];
    do {
        u32 code = board[to];
        if (!OF_OWN(code))
            *end++ = shifted | to << 6;
        at += 2;
        if (code)
            at += 2 * at[-1];
        to = at[0];
    } while ((u8)to != origin);
    return end;
}

/* diep/register-occupancy: two words in registers instead of the board. */
u64 diep_register(const u8 *at, const u64 *words, u16 *list, u8 origin, u64 end, unsigned shifted)
{
    u64 occupied = words[0], kept = words[1];
    u64 to = at[0];
    do {
        u64 skip = at[1];
        list[end] = shifted | to << 6;
        end += kept >> to & 1;
        at += MASKED(skip, occupied >> to & 1);
        to = at[0];
    } while ((u8)to != origin);
    return end;
}

/* linked-list/pointer: a pair of links, chosen by bit 3 of the cell, which every piece has. `kept` has a bit for each
 * code below 32 that gives a move. */
struct two_way { u8 to; u16 move; const struct two_way *next[2]; };
u64 linked(const struct two_way *node, const u8 *board, u16 *list, u64 end, u32 kept)
{
    do {
        u64 code = board[node->to];
        list[end] = node->move;
        end += kept >> (code & 31) & 1;
        node = *(const struct two_way *const *)((const char *)node->next + (code & 8));
    } while (node);
    return end;
}

/* linked-list/index32, index32-packed and index16: links are indexes, and the null link is the number of nodes. Then
 * end-zero and end-count, whose last link is 0, or the index behind the list. */
enum { NODES = 3948 };
struct node16 { u32 to, move, next[2]; };
struct node12 { u8 to; u16 move; u32 next[2]; };
struct node8 { u8 to; u16 move, next[2]; };
#define LINKED(name, node_type, goes_on)                                                               \
    u64 name(const struct node_type *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept,     \
             u64 last)                                                                                 \
    {                                                                                                  \
        do {                                                                                           \
            const struct node_type *node = nodes + at;                                                 \
            u64 code = board[node->to];                                                                \
            list[end] = node->move;                                                                    \
            end += kept >> (code & 31) & 1;                                                            \
            at = node->next[code >> 3 & 1];                                                            \
        } while (goes_on);                                                                             \
        return end;                                                                                    \
    }
LINKED(linked_index32, node16, at < NODES)
LINKED(linked_index32_packed, node12, at < NODES)
LINKED(linked_index16, node8, at < NODES)
LINKED(linked_end_zero, node8, at)
LINKED(linked_end_count, node8, at != last)

/* linked-list/index16-no-move: the move is put together. */
u64 linked_no_move(const struct node8 *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept,
                   unsigned origin)
{
    do {
        const struct node8 *node = nodes + at;
        u64 to = node->to, code = board[to];
        list[end] = origin | to << 6;
        end += kept >> (code & 31) & 1;
        at = node->next[code >> 3 & 1];
    } while (at < NODES);
    return end;
}

/* linked-list/index16-branch: a branch chooses the link. */
u64 linked_branch(const struct node8 *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept)
{
    do {
        const struct node8 *node = nodes + at;
        u64 code = board[node->to];
        list[end] = node->move;
        end += kept >> (code & 31) & 1;
        at = node->next[0];
        if (code) {
            HIDE(nodes);
            at = node->next[1];
        }
    } while (at < NODES);
    return end;
}

/* linked-list/select: both links in one word. */
struct linked_word { u8 to; u16 move; u32 next; };
u64 linked_select(const struct linked_word *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept)
{
    do {
        const struct linked_word *node = nodes + at;
        u64 code = board[node->to];
        u32 next = node->next;
        list[end] = node->move;
        end += kept >> (code & 31) & 1;
        at = SELECT(code, next >> 16, next & 0xffff);
    } while (at < NODES);
    return end;
}

/* linked-list/end-minus-one and end-origin: the square of the sentinel is `last`. */
u64 linked_end_square(const struct node8 *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept,
                      u64 last)
{
    u64 to = nodes[at].to;
    do {
        u64 code = board[to];
        list[end] = nodes[at].move;
        end += kept >> (code & 31) & 1;
        at = nodes[at].next[code >> 3 & 1];
        to = nodes[at].to;
    } while (to != last);
    return end;
}

/* linked-list/index32-moves-32 and index32-scored: the word of the node has 32 bits. index32-captured adds the code of
 * the target, index32-score-lookup a score from the row of the kind, and index32-streamed writes past the caches. */
#define LINKED_WORDS(name, write)                                                                      \
    u64 name(const struct node16 *nodes, const u8 *board, u32 *list, u64 end, u64 at, u32 kept,        \
             const u16 *gain, u32 before)                                                              \
    {                                                                                                  \
        do {                                                                                           \
            const struct node16 *node = nodes + at;                                                    \
            u64 code = board[node->to];                                                                \
            write;                                                                                     \
            end += kept >> (code & 31) & 1;                                                            \
            at = node->next[code >> 3 & 1];                                                            \
        } while (at < NODES);                                                                          \
        return end;                                                                                    \
    }
LINKED_WORDS(linked_words, list[end] = node->move)
LINKED_WORDS(linked_captured, list[end] = node->move | code << 16)
LINKED_WORDS(linked_score_lookup, list[end] = node->move | (gain[node->to] - before) << 16)
LINKED_WORDS(linked_streamed, __builtin_ia32_movnti((int *)list + end, node->move))

/* linked-list/index32-two-lists: each move is stored to both lists and counted in one. */
struct two_lists { u16 *others, *captures; };
struct two_lists linked_two_lists(const struct node16 *nodes, const u8 *board, u16 *others, u16 *captures, u64 at,
                                  u64 quiet_and_captured)
{
    u32 quiet = quiet_and_captured, captured = quiet_and_captured >> 32;
    do {
        const struct node16 *node = nodes + at;
        u64 code = board[node->to];
        *others = *captures = node->move;
        others += quiet >> (code & 31) & 1;
        captures -= captured >> (code & 31) & 1;
        at = node->next[code >> 3 & 1];
    } while (at < NODES);
    return (struct two_lists){others, captures};
}

/* linked-list/sherwin: a target and two links, of which 0 is the end. */
struct node6 { u8 to; u16 next[2]; };
u64 linked_sherwin(const struct node6 *nodes, const u8 *board, u16 *list, u64 end, u64 at, u32 kept, unsigned origin)
{
    do {
        const struct node6 *node = nodes + at;
        u64 to = node->to, code = board[to];
        list[end] = origin | to << 6;
        end += kept >> (code & 31) & 1;
        at = node->next[code >> 3 & 1];
    } while (at);
    return end;
}

/* linked-list/implicit-next: the place of the next node is three words further. */
u64 linked_implicit(const u16 *words, const u8 *board, u16 *list, u64 end, u64 at, u32 kept, u64 last)
{
    do {
        u64 code = board[words[at]];
        list[end] = words[at + 1];
        end += kept >> (code & 31) & 1;
        u64 link = words[at + 2];
        HIDE(link);
        at = SELECT(code, link, at + 3);
    } while (at != last);
    return end;
}

/* dense-index/u32: the code is a shift count. dense-index/u64: two shifts, of which the constant one does not wait for
 * the code. */
#define DENSE(name, node_type, following)                                                              \
    u16 *name(const node_type *nodes, const u8 *board, u16 *end, u64 at, unsigned origin, u32 kept)    \
    {                                                                                                  \
        do {                                                                                           \
            node_type node = nodes[at];                                                                \
            u64 to = node & 63;                                                                        \
            unsigned code = board[to];                                                                 \
            *end = origin | to << 6;                                                                   \
            end += kept >> (code & 31) & 1;                                                            \
            at = (following) & 0xfff;                                                                  \
        } while (at);                                                                                  \
        return end;                                                                                    \
    }
DENSE(dense, u32, node >> (code & 28))
DENSE(dense_u64, u64, node >> 8 >> (code & 16))

/* goulet/bytes and goulet/words: a run of squares, one in each byte or in each word. */
#define GOULET(name, element)                                                                            \
    u16 *name(const element *at, const u8 *board, u16 *end, const element *last, unsigned origin)        \
    {                                                                                                    \
        do {                                                                                             \
            u64 to = *at;                                                                                \
            HIDE(to);                                                                                    \
            if (board[to]) {                                                                             \
                HIDE(board);                                                                             \
                if (!(board[to] & OWN))                                                                  \
                    *end++ = origin | to << 6;                                                           \
                return end;                                                                              \
            }                                                                                            \
            *end++ = origin | to << 6;                                                                   \
        } while (++at != last);                                                                          \
        return end;                                                                                      \
    }
GOULET(goulet, u8)
GOULET(goulet_words, u32)

/* goulet/steps: a step and the end of a count. */
u16 *goulet_steps(const void *none, const u8 *board, u16 *end, u64 cell, u64 step, unsigned origin, u64 at, u64 last)
{
    do {
        if (board[cell += step]) {
            HIDE(board);
            if (!(board[cell] & OWN))
                *end++ = origin | cell << 6;
            return end;
        }
        *end++ = origin | cell << 6;
    } while (++at != last);
    return end;
}

/* gambiet/computed: the flags of the sum; gambiet/flags tests the flags that the addition leaves. */
u16 *gambiet(const u16 *to, const u8 *board, u16 *end, u64 cell, u64 step, unsigned origin, u8 inversion)
{
    for (;;) {
        u8 code = board[cell = (u8)(cell + step)] ^ inversion;
        u8 sum = code + code;
        if (!sum) {
            *end++ = origin | to[cell];
            continue;
        }
        if (!__builtin_parity(sum) && !(sum & 128) && code & 128)
            *end++ = origin | to[cell];
        return end;
    }
}

/* gambiet/class-table. */
u16 *gambiet_table(const u8 *classes, const u8 *board, u16 *end, const u16 *to, u64 cell, u64 step, unsigned origin_and_inversion)
{
    u8 inversion = origin_and_inversion >> 8;
    unsigned origin = origin_and_inversion & 63;
    for (;;) {
        u8 class = classes[board[cell = (u8)(cell + step)] ^ inversion];
        if (!class) {
            *end++ = origin | to[cell];
            continue;
        }
        if (class == 3)
            *end++ = origin | to[cell];
        return end;
    }
}

/* raylist: per visited cell, guards included. Cell, step, stop, next, square: a byte each. `kept` as above. */
u64 raylist(const u64 *rays, const u8 *board, u16 *list, const u16 *to, u64 head, u64 end, u32 kept)
{
    u64 ray = head, next = rays[(u32)ray >> 24];
    u8 cell = ray;
    do {
        cell += ray >> 8;
        u32 code = board[cell];
        list[end] = ray >> 32 | to[cell];
        end += kept >> (code & 31) & 1;
        u64 after = rays[(u32)next >> 24];
        int ends = (u8)code | (u8)(ray >> 16);
        cell = SELECT(ends, (u8)next, cell);
        ray = SELECT(ends, next, ray);
        next = SELECT(ends, after, next);
    } while (ray != head);
    return end;
}

/* bitboard/pext and its siblings: the write loop, per move. */
u16 *bits(u64 targets, u16 *end, unsigned origin)
{
    do
        *end++ = origin | __builtin_ctzll(targets) << 6;
    while (targets &= targets - 1);
    return end;
}
