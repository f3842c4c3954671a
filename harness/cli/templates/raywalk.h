/* Raywalk plug-ins, version 3: a move generator of your own in a shared library.
 *
 * `raywalk verify --plugin ./mine.so` checks it like every built-in design, and
 * `raywalk run --plugin ./mine.so` measures it in the same rounds. `docs/plugin/README.md` explains
 * how to begin.
 *
 * A library exports two functions, declared at the end of this file. One returns a table of functions
 * for each design, which Raywalk calls directly. Boards, moves and tables are yours: Raywalk allocates
 * memory of the size that you state and never looks into it. It converts moves to text only in checks,
 * which are never timed.
 *
 * Rules:
 * - A board owns nothing outside its bytes and holds no pointer into itself: Raywalk may copy its bytes
 *   to another address and never destroys it. Many boards exist at a time.
 * - Tables do not change after `build`.
 * - Raywalk makes one call at a time in a process.
 * - Nothing is written to standard output, which Raywalk uses, and it is not closed. Standard error is free.
 * - No exception and no panic may leave a function.
 * - A design in which a function crashes, hangs, answers wrongly or writes behind its board or its list has no
 *   time; all others keep theirs.
 *
 * This file may be copied into any project: MIT or Apache-2.0, at your choice. */
#ifndef RAYWALK_H
#define RAYWALK_H

#include <stdint.h>

/* Changes whenever the table below does. */
#define RAYWALK_ABI_VERSION 3

#ifdef _WIN32
#define RAYWALK_EXPORT __declspec(dllexport)
#else
#define RAYWALK_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What to generate: the index of `raywalk_design.generate`. */
enum {
    RAYWALK_ALL = 0,      /* all moves, the captures and the quiets */
    RAYWALK_CAPTURES = 1, /* captures, with en passant and promotions that capture */
    RAYWALK_QUIETS = 2    /* all others, with castling and promotions that do not capture */
};

/* Which moves a design generates. Castling is legal in both cases: the king neither stands on, passes
 * nor reaches an attacked square. */
enum {
    RAYWALK_PSEUDO_LEGAL = 0, /* all moves, also those that leave the own king in check */
    RAYWALK_LEGAL = 1
};

/* What the code claims to do at each square that it looks at. */
enum { RAYWALK_BRANCHY = 0, RAYWALK_BRANCHLESS = 1, RAYWALK_MIXED = 2 };

typedef struct raywalk_design {
    /* The card. Texts are UTF-8 and stay where they are. */
    const char *id;     /* `family/variant` in lower-case letters, digits and hyphens */
    const char *name;   /* for tables */
    const char *author;
    const char *source; /* where it was published */
    uint32_t year;      /* 0 if unknown */
    uint32_t control;   /* RAYWALK_BRANCHY, RAYWALK_BRANCHLESS or RAYWALK_MIXED */
    uint32_t legality;  /* RAYWALK_PSEUDO_LEGAL or RAYWALK_LEGAL */

    /* Sizes in bytes. */
    uint32_t board_bytes;
    uint32_t board_align; /* a power of two up to 64; lists, moves and undo records are aligned to 64 */
    uint32_t move_bytes;
    uint32_t undo_bytes; /* what `make` stores for `unmake`; 0 without `make` */
    uint32_t list_moves; /* moves that a list has room for, at least 256; nothing is written behind it */

    /* Builds the tables and sets their address, which may be null, and their size in bytes, 0 if it is not
     * known. Returns null, or a sentence that says why the design cannot run on this machine. Called once in
     * a process. */
    const char *(*build)(void **tables, uint64_t *table_bytes);

    /* Sets up a board. Returns 0 if it cannot. The FEN has six fields; Raywalk uses legal positions. */
    int (*load)(const void *tables, void *board, const char *fen);

    /* Writes the moves of a stage from the beginning of a list, in any order, and returns their number.
     * Leaves the board as it was. These are the calls that are timed. */
    uint32_t (*generate[3])(const void *tables, void *board, void *list);

    /* Writes a generated move in coordinate notation with a final zero: `e2e4`, `e7e8q`, castling as
     * `e1g1`. */
    void (*to_uci)(const void *tables, const void *board, const void *move, char text[8]);

    /* Optional: three functions, or three nulls. With them the design takes part in the panels that walk
     * a search, among them the headline of `raywalk run`.
     *
     * `from_uci` finds the move that a text means on this board and returns 0 if it cannot; the moves
     * asked for are legal or pseudo-legal. `make` makes a move and returns 1, or 0 if it left the own king
     * in check; `unmake` takes it back in either case. */
    int (*from_uci)(const void *tables, const void *board, const char *text, void *move);
    int (*make)(const void *tables, void *board, const void *move, void *undo);
    void (*unmake)(const void *tables, void *board, const void *move, const void *undo);

    /* Optional: counts the leaves `depth` plies below the board, 1 at depth 0. It replaces the count in
     * bulk that Raywalk builds from the functions above, and is timed as `perft-bulk`. */
    uint64_t (*perft)(const void *tables, void *board, uint32_t depth);

    /* Optional: returns 1 if a piece of White, or else of Black, attacks a square, else 0. Squares count from
     * a1 = 0, b1 = 1 to h8 = 63, and may be empty or occupied by either side. It is timed as `attacked`. */
    int (*attacked)(const void *tables, const void *board, uint32_t square, int by_white);

    /* Optional: counts the same leaves as `perft`, and makes the move of every leaf. It replaces the walk with
     * `generate`, `make` and `unmake`, and is timed as `perft`. */
    uint64_t (*perft_made)(const void *tables, void *board, uint32_t depth);
} raywalk_design;

/* Returns RAYWALK_ABI_VERSION. */
RAYWALK_EXPORT uint32_t raywalk_abi_version(void);

/* Returns the table of a design, counted from 0, or null if there are no more. */
RAYWALK_EXPORT const raywalk_design *raywalk_design_at(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
