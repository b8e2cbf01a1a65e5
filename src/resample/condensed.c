#include "condensed.h"
#include "../core/rng.h"
#include "../linalg/ordered.h"

/* Distances from each row of a class to the smallest class, and to the rows of its class that count. */
struct race {
  mn_row_subset rows;
  double *other, *same, *work;
};

static mn_status begin(mn_context *ctx, const mn_data *data, const mn_matrix *small, size_t c, struct race *r)
{
  MN_TRY(mn_subset_of_class(ctx, data, c, &r->rows));
  const size_t n = r->rows.n;
  int32_t *nearest;
  r->same = MN_RAW(ctx, double, n, 1);
  r->work = MN_RAW(ctx, double, n, 1);
  if (!r->same || !r->work) return MN_NO_MEMORY;
  for (size_t i = 0; i < n; i++) r->same[i] = INFINITY;
  return mn_nearest_of(ctx, small, &r->rows.x, 1, &nearest, &r->other);
}

/* Row i of the class counts from now on; rows before `first` are no longer compared. */
static void count_row(struct race *r, size_t i, size_t first)
{
  const size_t n = r->rows.n - first, d = r->rows.x.cols;
  mn_ordered_distances2(n, d, mn_row(&r->rows.x, first), mn_row(&r->rows.x, i), r->work);
  for (size_t s = 0; s < n; s++) r->same[first + s] = fmin(r->same[first + s], sqrt(r->work[s]));
}

static mn_status condense_class(mn_context *ctx, const mn_condensed *m, const mn_data *data, const mn_matrix *small,
                                size_t c, bool grow, bool *keep)
{
  struct race r;
  mn_rng rng = mn_stream(m->seed, c);
  MN_TRY(begin(ctx, data, small, c, &r));
  size_t *drawn = MN_RAW(ctx, size_t, r.rows.n, 1);
  MN_CHECK_ALLOC(drawn);
  for (size_t i = 0; i < r.rows.n; i++) {
    drawn[i] = i;
    keep[r.rows.row[i]] = false;
  }
  mn_shuffle(&rng, drawn, r.rows.n);
  for (size_t s = 0; s < r.rows.n && s < (size_t)m->n_seeds_S; s++) {
    MN_TRY(mn_poll(ctx));
    keep[r.rows.row[drawn[s]]] = true;
    count_row(&r, drawn[s], 0);
  }
  for (size_t i = 0; i < r.rows.n; i++) {
    if (keep[r.rows.row[i]] || r.same[i] < r.other[i]) continue;
    MN_TRY(mn_poll(ctx));
    keep[r.rows.row[i]] = true;
    if (grow) count_row(&r, i, i);
  }
  return MN_OK;
}

mn_status mn_condense(mn_context *ctx, const mn_condensed *m, const mn_data *data, bool grow, bool **keep)
{
  const mn_resampler *r = &m->resampler;
  const size_t smallest = mn_smallest_class(r);
  mn_row_subset all, small;
  MN_TRY(mn_all_rows(ctx, data, &all, keep));
  MN_TRY(mn_subset_of_class(ctx, data, smallest, &small));
  for (size_t c = 0; c < data->classes; c++) {
    if (c == smallest || !mn_may_lose_rows(r, r->class_counts.at, c)) continue;
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(condense_class(ctx, m, data, &small.x, c, grow, *keep));
    mn_scratch_release(ctx, mark);
  }
  return MN_OK;
}
