#include "edited.h"
#include <string.h>

const char *const mn_edit_kinds[] = { "all", "mode", NULL };

mn_status mn_edited_fit(mn_context *ctx, void *self, const mn_data *data)
{
  const mn_edited *m = self;
  MN_TRY(mn_cleaner_fit(ctx, self, data));
  return mn_check_neighbors(ctx, &m->resampler, data, "n_neighbors", m->n_neighbors);
}

bool mn_neighbors_agree(int64_t kind, size_t own, size_t k, const size_t *label, size_t *votes)
{
  bool agreed = true;
  for (size_t s = 0; s < k; s++) votes[label[s]]++;
  for (size_t s = 0; s < k; s++) {
    const size_t c = label[s];
    if (c == own) continue;
    agreed = agreed && kind == MN_EDIT_MODE && (votes[c] < votes[own] || (own < c && votes[c] == votes[own]));
  }
  for (size_t s = 0; s < k; s++) votes[label[s]] = 0;
  return agreed;
}

mn_status mn_edit(mn_context *ctx, const mn_edited *m, const mn_data *data, size_t k, bool *keep, double *counts)
{
  mn_row_subset rows;
  int32_t *nearest;
  MN_TRY(mn_subset_kept(ctx, data, keep, &rows));
  MN_TRY(mn_nearest_of(ctx, &rows.x, NULL, k, &nearest, NULL));
  size_t *votes = MN_NEW(ctx, size_t, data->classes, 1), *label = MN_RAW(ctx, size_t, k, 1);
  double *before = MN_RAW(ctx, double, data->classes, 1);
  if (!votes || !label || !before) return MN_NO_MEMORY;
  memcpy(before, counts, data->classes * sizeof *before);
  for (size_t i = 0; i < rows.n; i++) {
    const size_t own = (size_t)data->code[rows.row[i]];
    if (i % MN_POLL_ROWS == 0) MN_TRY(mn_poll(ctx));
    if (!mn_may_lose_rows(&m->resampler, before, own)) continue;
    for (size_t s = 0; s < k; s++) label[s] = (size_t)data->code[rows.row[nearest[i * k + s]]];
    if (mn_neighbors_agree(m->kind_sel, own, k, label, votes)) continue;
    keep[rows.row[i]] = false;
    counts[own]--;
  }
  return MN_OK;
}

static double total(const double *counts, size_t classes)
{
  double sum = 0;
  for (size_t c = 0; c < classes; c++) sum += counts[c];
  return sum;
}

static bool has_empty(const double *counts, size_t classes)
{
  for (size_t c = 0; c < classes; c++)
    if (counts[c] == 0) return true;
  return false;
}

/* Is a class smaller than the smallest class was at first? */
static bool is_below_minority(const mn_resampler *m, const double *counts)
{
  const size_t small = mn_smallest_class(m);
  for (size_t c = 0; c < m->class_counts.size; c++)
    if (c != small && counts[c] < m->class_counts.at[small]) return true;
  return false;
}

mn_status mn_edit_repeatedly(mn_context *ctx, const mn_edited *m, const mn_data *data, mn_edits edits,
                             mn_resampled *out)
{
  const mn_resampler *r = &m->resampler;
  const size_t classes = data->classes, n = data->rows;
  bool *keep = MN_RAW(ctx, bool, n, 1), *before = MN_RAW(ctx, bool, n, 1);
  double *counts = MN_RAW(ctx, double, classes, 1);
  if (!keep || !before || !counts) return MN_NO_MEMORY;
  memset(keep, true, n * sizeof *keep);
  memcpy(counts, r->class_counts.at, classes * sizeof *counts);
  for (int64_t round = 1; round <= edits.rounds; round++) {
    const int64_t k = edits.growing ? round : m->n_neighbors;
    const double left = total(counts, classes);
    if (left <= (double)k) break;
    memcpy(before, keep, n * sizeof *keep);
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(mn_edit(ctx, m, data, (size_t)k, keep, counts));
    mn_scratch_release(ctx, mark);
    if (has_empty(counts, classes)) return mn_keep_rows(ctx, data, before, out);
    if (!edits.allow_minority && is_below_minority(r, counts)) break;
    if (!edits.growing && total(counts, classes) == left) break;
  }
  return mn_keep_rows(ctx, data, keep, out);
}
