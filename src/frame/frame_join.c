#include "frame.h"
#include <math.h>
#include <string.h>

/* Concatenate the numbers of both sides. */
static mn_status stack_numbers(mn_context *ctx, const mn_view *a, size_t n, const mn_view *b, size_t m, mn_view *out)
{
  double *number = MN_RAW(ctx, double, n + m, 1);
  MN_CHECK_ALLOC(number);
  for (size_t i = 0; i < n; i++) number[i] = a->number[i * a->step];
  for (size_t i = 0; i < m; i++) number[n + i] = b->number[i * b->step];
  *out = (mn_view){ .number = number, .step = 1 };
  return MN_OK;
}

static mn_status stack_codes(mn_context *ctx, const mn_view *a, size_t n, const mn_view *b, size_t m, mn_view *out)
{
  const size_t levels_a = a->levels ? mn_levels_size(a->levels) : 0;
  const size_t levels_b = b->levels ? mn_levels_size(b->levels) : 0;
  int32_t *map_a = MN_RAW(ctx, int32_t, levels_a, 1), *map_b = MN_RAW(ctx, int32_t, levels_b, 1);
  int32_t *code = MN_RAW(ctx, int32_t, n + m, 1);
  if (!map_a || !map_b || !code) return MN_NO_MEMORY;
  mn_frame_merge_levels(a->levels, b->levels, map_a, map_b);
  for (size_t i = 0; i < n; i++) code[i] = a->code[i] < 0 ? -1 : map_a[a->code[i]];
  for (size_t i = 0; i < m; i++) code[n + i] = b->code[i] < 0 ? -1 : map_b[b->code[i]];
  *out = (mn_view){ .code = code };
  return MN_OK;
}

static mn_status gather(mn_context *ctx, size_t n, size_t count, const int32_t *of, mn_groups *groups, int32_t **row)
{
  size_t *start = MN_RAW(ctx, size_t, count + 1, 1);
  *row = MN_RAW(ctx, int32_t, n, 1);
  if (!start || !*row) return MN_NO_MEMORY;
  mn_frame_group_starts(n, count, of, start);
  *groups = (mn_groups){ .n = n, .count = count, .of = of, .start = start };
  return mn_frame_group_rows(ctx, groups, *row);
}

mn_status mn_frame_match(mn_context *ctx, size_t keys, const mn_view *left_key, size_t left, const mn_view *right_key,
                         size_t right, mn_join *join)
{
  *join = (mn_join){ .left = left, .right = right };
  if (left > INT32_MAX - right) return mn_fail(ctx, MN_BAD_DATA, "more than %d rows in both frames", INT32_MAX);
  join->of = MN_RAW(ctx, int32_t, left + right, 1);
  MN_CHECK_ALLOC(join->of);
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_view *both = MN_NEW(ctx, mn_view, keys, 1);
  mn_status status = both ? MN_OK : MN_NO_MEMORY;
  for (size_t j = 0; status == MN_OK && j < keys; j++)
    status = left_key[j].number ? stack_numbers(ctx, &left_key[j], left, &right_key[j], right, &both[j])
                                : stack_codes(ctx, &left_key[j], left, &right_key[j], right, &both[j]);
  if (status == MN_OK) status = mn_frame_rank(ctx, keys, both, left + right, join->of, &join->count);
  mn_scratch_release(ctx, mark);
  MN_TRY(status);
  MN_TRY(gather(ctx, left, join->count, join->of, &join->left_groups, &join->left_row));
  return gather(ctx, right, join->count, join->of + left, &join->right_groups, &join->right_row);
}

static size_t size_of(const mn_groups *groups, size_t g)
{
  return groups->start[g + 1] - groups->start[g];
}

mn_status mn_frame_count_matches(mn_context *ctx, const mn_join *join, mn_join_kind kind, size_t *rows)
{
  *rows = 0;
  for (size_t g = 0; g < join->count; g++) {
    const size_t left = size_of(&join->left_groups, g), right = size_of(&join->right_groups, g);
    *rows += left * right; /* at most 2^62, and the sum is checked below */
    if (right == 0 && (kind == MN_JOIN_LEFT || kind == MN_JOIN_OUTER)) *rows += left;
    if (left == 0 && (kind == MN_JOIN_RIGHT || kind == MN_JOIN_OUTER)) *rows += right;
    if (*rows > INT32_MAX)
      return mn_fail(ctx, MN_BAD_DATA, "the result has more than %d rows: keys repeat in both frames", INT32_MAX);
  }
  return MN_OK;
}

/* Write one row of the leading side with all its matches. Returns the next position. */
static size_t write_matches(double lead, const mn_groups *others, const int32_t *row, size_t g, bool keep_unmatched,
                            double *lead_row, double *other_row, size_t position)
{
  const size_t begin = others->start[g], end = others->start[g + 1];
  for (size_t k = begin; k < end; k++, position++) {
    lead_row[position] = lead;
    other_row[position] = row[k] + 1;
  }
  if (begin == end && keep_unmatched) {
    lead_row[position] = lead;
    other_row[position++] = (double)NAN;
  }
  return position;
}

/* The outer join, sorted by key. */
static void outer_join(const mn_join *join, double *left_row, double *right_row)
{
  const mn_groups *left = &join->left_groups, *right = &join->right_groups;
  size_t position = 0;
  for (size_t g = 0; g < join->count; g++) {
    for (size_t k = left->start[g]; k < left->start[g + 1]; k++)
      position = write_matches(join->left_row[k] + 1, right, join->right_row, g, true, left_row, right_row, position);
    if (size_of(left, g) > 0) continue;
    for (size_t k = right->start[g]; k < right->start[g + 1]; k++, position++) {
      left_row[position] = (double)NAN;
      right_row[position] = join->right_row[k] + 1;
    }
  }
}

void mn_frame_join(const mn_join *join, mn_join_kind kind, double *left_row, double *right_row)
{
  size_t position = 0;
  switch (kind) {
  case MN_JOIN_INNER:
  case MN_JOIN_LEFT:
    for (size_t i = 0; i < join->left; i++)
      position = write_matches((double)(i + 1), &join->right_groups, join->right_row, (size_t)join->of[i],
                               kind == MN_JOIN_LEFT, left_row, right_row, position);
    break;
  case MN_JOIN_RIGHT:
    for (size_t i = 0; i < join->right; i++)
      position = write_matches((double)(i + 1), &join->left_groups, join->left_row, (size_t)join->of[join->left + i],
                               true, right_row, left_row, position);
    break;
  case MN_JOIN_OUTER: outer_join(join, left_row, right_row); break;
  }
}
