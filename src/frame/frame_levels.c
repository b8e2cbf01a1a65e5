#include "frame.h"
#include <string.h>

static size_t size_of(const mn_levels *levels)
{
  return levels ? mn_levels_size(levels) : 0;
}

const mn_levels *mn_frame_union_levels(mn_context *ctx, const mn_levels *const *levels, size_t n, int32_t **map)
{
  size_t total = 0;
  for (size_t i = 0; i < n; i++) total += size_of(levels[i]);
  int32_t *code = MN_RAW(ctx, int32_t, total, 1);
  mn_label *label = MN_RAW(ctx, mn_label, total, 1);
  if (!code || !label) return NULL;
  size_t position = 0;
  for (size_t i = 0; i < n; i++) {
    map[i] = code + position;
    for (size_t l = 0; l < size_of(levels[i]); l++) label[position++] = mn_levels_at(levels[i], l);
  }
  return mn_levels_new(ctx, label, total, code);
}

size_t mn_frame_merge_levels(const mn_levels *a, const mn_levels *b, int32_t *map_a, int32_t *map_b)
{
  const size_t n = size_of(a), m = size_of(b);
  size_t i = 0, j = 0, position = 0;
  while (i < n || j < m) {
    const int order = i == n ? 1 : j == m ? -1 : mn_label_compare(mn_levels_at(a, i), mn_levels_at(b, j));
    if (order <= 0) map_a[i++] = (int32_t)position;
    if (order >= 0) map_b[j++] = (int32_t)position;
    position++;
  }
  return position;
}
