#include "resize_parts.h"
#include <string.h>

size_t mn_grown_capacity(size_t capacity, size_t needed)
{
  if (needed <= capacity) return capacity;
  return needed > 2 * capacity ? needed : 2 * capacity;
}

mn_status mn_resize_parts_indexes(mn_context *ctx, const mn_indexes *from, size_t parts, size_t length, mn_indexes *to)
{
  MN_TRY(mn_indexes_init(ctx, to, parts * length));
  const size_t old = from->size / parts, copied = old < length ? old : length;
  for (size_t i = 0; i < parts && copied > 0; i++)
    memcpy(to->at + i * length, from->at + i * old, copied * sizeof *to->at);
  return MN_OK;
}

mn_status mn_resize_parts_matrix(mn_context *ctx, const mn_matrix *from, size_t cols, size_t parts, size_t length,
                                 mn_matrix *to)
{
  MN_TRY(mn_matrix_init(ctx, to, parts * length, cols));
  const size_t old = from->rows / parts, copied = old < length ? old : length;
  for (size_t i = 0; i < parts && copied > 0; i++)
    memcpy(to->at + i * length * cols, from->at + i * old * cols, copied * cols * sizeof *to->at);
  return MN_OK;
}

mn_status mn_resize_parts_vector(mn_context *ctx, const mn_vector *from, size_t parts, size_t length, mn_vector *to)
{
  const mn_matrix old = { .at = from->at, .rows = from->size, .cols = 1 };
  mn_matrix made = { 0 };
  MN_TRY(mn_resize_parts_matrix(ctx, &old, 1, parts, length, &made));
  *to = (mn_vector){ .at = made.at, .size = made.rows };
  return MN_OK;
}
