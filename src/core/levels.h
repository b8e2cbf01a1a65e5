/* Labels as the user gave them, and the sets of labels (levels) of factors and classifiers. */
#ifndef MN_CORE_LEVELS_H
#define MN_CORE_LEVELS_H
#include "context.h"

typedef enum mn_label_kind { MN_LABEL_BOOLEAN, MN_LABEL_INTEGER, MN_LABEL_FLOAT, MN_LABEL_TEXT } mn_label_kind;

typedef struct mn_label {
  mn_label_kind kind;
  union {
    bool boolean;
    int64_t integer;
    double number; /* never NaN: a missing label has code -1 instead */
    struct {
      const char *bytes; /* may contain NUL; not NUL-terminated */
      size_t size;
    } text;
  } as;
} mn_label;

/* Ascending order: booleans, then numbers by value, then text by bytes. Returns <0, 0 or >0. An integer and a float of
 * the same value are equal. */
int mn_label_compare(mn_label a, mn_label b);

/* Format a label for a message, at most `size` bytes with the final NUL. Returns `buffer`. */
const char *mn_format_label(char *buffer, size_t size, mn_label label);

/* Distinct labels in ascending order, with codes 0..size-1. Immutable and reference-counted: retain and release may be
 * called from any thread. */
typedef struct mn_levels mn_levels;

/* The distinct labels among n, and codes[i] (may be NULL) = code of labels[i]. NULL, with the error set, on failure. */
mn_levels *mn_levels_new(mn_context *ctx, const mn_label *labels, size_t n, int32_t *codes);

/* A copy in the account of `ctx`. Levels of another account must be copied instead of retained, since the last release
 * frees them from its own account. NULL is copied as NULL. */
mn_status mn_levels_copy(mn_context *ctx, const mn_levels *from, const mn_levels **to);

const mn_levels *mn_levels_retain(const mn_levels *levels);
void mn_levels_release(mn_memory *memory, const mn_levels *levels); /* NULL is allowed */

size_t mn_levels_size(const mn_levels *levels);
mn_label mn_levels_at(const mn_levels *levels, size_t code);

/* The code of a label, -1 if it is not one of the levels. */
int32_t mn_levels_find(const mn_levels *levels, mn_label label);

/* map[i] = the code in `to` of level i of `from`, -1 if `to` lacks it. */
void mn_levels_map(const mn_levels *from, const mn_levels *to, int32_t *map);

/* Codes with their levels; -1 is a missing label. */
typedef struct mn_factor {
  int32_t *code; /* size */
  size_t size;
  const mn_levels *levels;
} mn_factor;

mn_status mn_factor_init(mn_context *ctx, mn_factor *f, size_t size, const mn_levels *levels);
void mn_factor_free(mn_memory *memory, mn_factor *f);

#endif
