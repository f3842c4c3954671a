/* The generator of the template with one fault, chosen when it is compiled. */
#define raywalk_design_at right_design_at
#include "generator.c"
#undef raywalk_design_at
#include <unistd.h>

/* Whether the fault shows: at once, or some time after a measuring process began, which is told from others by
 * its environment. */
static int is_due(void) {
#ifdef LATE
    static unsigned calls;
    return getenv("RAYWALK_PADDING") && ++calls > 3000;
#else
    return 1;
#endif
}

static uint32_t fault(const void *tables, void *b, void *list) {
    uint32_t count = all(tables, b, list);
    if (is_due()) {
#if defined(CRASH)
        abort();
#elif defined(HANG)
        volatile int for_ever = 1;
        while (for_ever) continue;
#elif defined(CLOSE)
        close(1);
#elif defined(WRONG)
        return count ? count - 1 : 0;
#elif defined(OVERRUN)
        memset((char *)list + (size_t)design.list_moves * design.move_bytes, 0, 64);
#elif defined(STAIN)
        ++*(unsigned char *)b;
#endif
    }
    return count;
}

#ifdef REFUSE
static const char *refuse(void **tables, uint64_t *table_bytes) {
    (void)tables, (void)table_bytes;
    return "needs a quantum computer, which this machine lacks";
}
#endif

#ifdef MISPLACED
static uint32_t nothing(const void *tables, void *b, void *list) {
    (void)tables, (void)b, (void)list;
    return 0;
}
#endif

#ifdef BUILD
/* Fails in measuring processes only. */
static const char *build_badly(void **tables, uint64_t *table_bytes) {
    if (getenv("RAYWALK_PADDING")) abort();
    return design.build(tables, table_bytes);
}
#endif

#ifdef LONG
/* Writes more than the eight bytes that the header allows. */
static void long_text(const void *tables, const void *b, const void *move, char *text) {
    design.to_uci(tables, b, move, text);
    memset(text + 8, 'x', 8);
}
#endif

#ifdef DEAF
static int deaf(const void *tables, void *b, const char *fen) {
    (void)tables, (void)b, (void)fen;
    return 0;
}
#endif

RAYWALK_EXPORT const raywalk_design *raywalk_design_at(uint32_t number) {
    static raywalk_design faulty;
    faulty = design;
    faulty.generate[RAYWALK_ALL] = fault;
#ifdef MISPLACED
    /* Both stages together are right. */
    faulty.generate[RAYWALK_CAPTURES] = all;
    faulty.generate[RAYWALK_QUIETS] = nothing;
#endif
#ifdef DEAF
    faulty.load = deaf;
#endif
#ifdef LONG
    faulty.to_uci = long_text;
#endif
#ifdef BUILD
    faulty.build = build_badly;
#endif
#ifdef REFUSE
    faulty.build = refuse;
#endif
    return number == 0 ? &faulty : 0;
}
