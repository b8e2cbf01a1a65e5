/* Operations on Frames: columns in, row numbers or columns out. Row numbers are 0-based; MN_NO_ROW stands for no row
 * and becomes a missing value. */
#ifndef MN_FRAME_FRAME_H
#define MN_FRAME_FRAME_H
#include "../core/levels.h"

#define MN_NO_ROW (-1)

/* One column to read: numbers (`step` elements apart, NaN is missing), or else codes (-1 is missing). */
typedef struct mn_view {
  const double *number; /* NULL: codes */
  size_t step;
  const int32_t *code;
  const mn_levels *levels; /* of the codes; may be NULL where the labels do not matter */
} mn_view;

/* --- frame_gather.c --- */

/* One column of a result: from[row[i]] for each i; exactly one of number and code is not NULL. */
typedef struct mn_column_copy {
  mn_view from;
  double *number;
  int32_t *code;
} mn_column_copy;

/* The rows row[0..n-1], which may be MN_NO_ROW, of each of `columns` columns. */
mn_status mn_frame_gather_rows(mn_context *ctx, size_t columns, const mn_column_copy *column, const int32_t *row,
                               size_t n);

/* out (rows x columns) = the columns next to each other: numbers, or codes with NaN where missing. */
void mn_frame_to_rows(size_t rows, size_t columns, const mn_view *column, double *out);

/* The opposite: column[j] of `rows` numbers, or NULL, = column j of x (rows x columns). */
mn_status mn_frame_from_rows(mn_context *ctx, size_t rows, size_t columns, const double *x, double *const *column);

/* Whether two columns have the same values: missing equals missing, and labels are compared as labels. */
bool mn_frame_equal(const mn_view *a, const mn_view *b, size_t n);

/* --- frame_levels.c --- */

/* The union of the levels of `n` factors, or NULL with the error set. map[i][code] is the new code of a code of factor
 * i; the maps are scratch. NULL levels count as empty. */
const mn_levels *mn_frame_union_levels(mn_context *ctx, const mn_levels *const *levels, size_t n, int32_t **map);

/* map_a[code], map_b[code]: the positions of the levels of a and b in the sorted union of both. Returns the size of the
 * union. */
size_t mn_frame_merge_levels(const mn_levels *a, const mn_levels *b, int32_t *map_a, int32_t *map_b);

/* --- frame_sort.c --- */

/* row[0..n-1]: the rows sorted by the keys, the first key being the primary one; descending where down[j]. Missing
 * values come last in either direction. The sort is stable. -0 equals 0. */
mn_status mn_frame_argsort(mn_context *ctx, size_t keys, const mn_view *key, const bool *down, size_t n, int32_t *row);

/* Equal rows get equal numbers: of[i] = 0..count-1 ascending with the keys, missing values last. */
mn_status mn_frame_rank(mn_context *ctx, size_t keys, const mn_view *key, size_t n, int32_t *of, size_t *count);

/* --- frame_group.c --- */

/* The group of each row: of[row] is 0..count-1. */
typedef struct mn_groups {
  size_t n, count;
  const int32_t *of;
  const size_t *start; /* count + 1; group g has start[g+1] - start[g] rows */
} mn_groups;

/* start[0..count], from the rest. */
void mn_frame_group_starts(size_t n, size_t count, const int32_t *of, size_t *start);

/* row[0..n-1]: the rows of group g, ascending, from start[g] on. */
mn_status mn_frame_group_rows(mn_context *ctx, const mn_groups *groups, int32_t *row);

typedef enum mn_summary {
  MN_SUM_SIZE,   /* rows, missing values included               */
  MN_SUM_COUNT,  /* values that are not missing; the summaries below use these only */
  MN_SUM_UNIQUE, /* distinct values                             */
  MN_SUM_FIRST,
  MN_SUM_LAST,
  MN_SUM_MIN,
  MN_SUM_MAX,
  MN_SUM_SUM, /* 0 without values                            */
  MN_SUM_MEAN,
  MN_SUM_VAR, /* divided by count - 1; missing below 2       */
  MN_SUM_STD,
  MN_SUM_Q25, /* quantiles by linear interpolation (type 7 of Hyndman & Fan) */
  MN_SUM_MEDIAN,
  MN_SUM_Q75,
  MN_SUMMARIES
} mn_summary;

/* out[s][g] = summary what[s] of the values of group g. Of codes there are size to max; first to max are codes, NaN
 * where missing. The result does not depend on the number of threads. */
mn_status mn_frame_summarize(mn_context *ctx, const mn_view *values, const mn_groups *groups, size_t summaries,
                             const mn_summary *what, double *const *out);

/* --- frame_join.c --- */

typedef enum mn_join_kind { MN_JOIN_INNER, MN_JOIN_LEFT, MN_JOIN_RIGHT, MN_JOIN_OUTER } mn_join_kind;

/* The pairs of rows of two tables whose keys are equal; a missing key equals a missing key. They are sorted by the left
 * row (inner, left), the right row (right) or the key (outer), and then by the row of the other table. */
typedef struct mn_join {
  size_t left, right; /* rows of the tables */
  size_t count;       /* distinct keys      */
  int32_t *of;        /* left + right       */
  mn_groups left_groups, right_groups;
  int32_t *left_row, *right_row; /* gathered by group */
} mn_join;

/* Number the distinct keys of both tables; left_key[j] and right_key[j] have the same kind. Results are in scratch. */
mn_status mn_frame_match(mn_context *ctx, size_t keys, const mn_view *left_key, size_t left, const mn_view *right_key,
                         size_t right, mn_join *join);

/* Rows of the result; MN_BAD_DATA when there are too many. */
mn_status mn_frame_count_matches(mn_context *ctx, const mn_join *join, mn_join_kind kind, size_t *rows);

/* The 1-based row numbers of the pairs, `rows` of each side; NaN if a row has no match. */
void mn_frame_join(const mn_join *join, mn_join_kind kind, double *left_row, double *right_row);

#endif
