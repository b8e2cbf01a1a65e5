#include "widen.h"
#include <string.h>

size_t mn_room_for(size_t has, size_t needs)
{
  if (needs <= has) return has;
  return needs > 2 * has ? needs : 2 * has;
}

mn_status mn_widen_indexes(mn_context *ctx, const mn_indexes *from, size_t parts, size_t length, mn_indexes *to)
{
  MN_TRY(mn_indexes_init(ctx, to, parts * length));
  const size_t old = from->size / parts, kept = old < length ? old : length;
  for (size_t i = 0; i < parts && kept > 0; i++) memcpy(to->at + i * length, from->at + i * old, kept * sizeof *to->at);
  return MN_OK;
}

mn_status mn_widen_matrix(mn_context *ctx, const mn_matrix *from, size_t cols, size_t parts, size_t length,
                          mn_matrix *to)
{
  MN_TRY(mn_matrix_init(ctx, to, parts * length, cols));
  const size_t old = from->rows / parts, kept = old < length ? old : length;
  for (size_t i = 0; i < parts && kept > 0; i++)
    memcpy(to->at + i * length * cols, from->at + i * old * cols, kept * cols * sizeof *to->at);
  return MN_OK;
}

mn_status mn_widen_vector(mn_context *ctx, const mn_vector *from, size_t parts, size_t length, mn_vector *to)
{
  const mn_matrix old = { .at = from->at, .rows = from->size, .cols = 1 };
  mn_matrix made = { 0 };
  MN_TRY(mn_widen_matrix(ctx, &old, 1, parts, length, &made));
  *to = (mn_vector){ .at = made.at, .size = made.rows };
  return MN_OK;
}
