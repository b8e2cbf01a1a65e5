#include "reachability.h"
#include "../search/row_distances.h"
#include "core_distances.h"
#include <math.h>
#include <string.h>

/* --- the next row: a heap by reachability --- */

/* Rows that were reached but not yet ordered, the nearest first. */
struct queue {
  const double *reachability;
  size_t size;
  int32_t *row;   /* n: the heap                     */
  int32_t *place; /* n: of each row in the heap, or -1: not in it; -2: ordered */
};

static bool is_before(const struct queue *q, int32_t a, int32_t b)
{
  const double x = q->reachability[a], y = q->reachability[b];
  return x < y || (!(x > y) && a < b);
}

static void put(struct queue *q, size_t i, int32_t row)
{
  q->row[i] = row;
  q->place[row] = (int32_t)i;
}

/* Insert a row, or move it after its reachability became less. */
static void update(struct queue *q, int32_t row)
{
  size_t i = q->place[row] < 0 ? q->size++ : (size_t)q->place[row];
  for (; i > 0 && is_before(q, row, q->row[(i - 1) / 2]); i = (i - 1) / 2) put(q, i, q->row[(i - 1) / 2]);
  put(q, i, row);
}

static int32_t take(struct queue *q)
{
  const int32_t top = q->row[0], last = q->row[--q->size];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < q->size; i = child) {
    if (child + 1 < q->size && is_before(q, q->row[child + 1], q->row[child])) child++;
    if (!is_before(q, q->row[child], last)) break;
    put(q, i, q->row[child]);
  }
  if (q->size > 0) put(q, i, last);
  return top;
}

/* --- the ordering --- */

struct walk {
  const mn_points *rows;
  mn_neighbor_index index;
  mn_row_distances all; /* without a limit all rows are neighbors */
  double max_eps;
  double *distance; /* n */
  struct queue queue;
};

static void reach(mn_reachability *r, struct queue *q, int32_t from, int32_t row, double distance)
{
  const double reachability = fmax(distance, r->core[from]);
  if (q->place[row] == -2 || !(reachability < r->reachability[row])) return;
  r->reachability[row] = reachability;
  r->predecessor[row] = from;
  update(q, row);
}

/* The neighbors of one row within max_eps. */
static mn_status reach_neighbors(mn_context *ctx, struct walk *w, mn_reachability *r, int32_t from)
{
  if (!(r->core[from] < INFINITY)) return MN_OK;
  if (!(w->max_eps < INFINITY)) {
    mn_measure_row(&w->all, (size_t)from, 0, r->n, w->distance);
    for (size_t i = 0; i < r->n; i++) reach(r, &w->queue, from, (int32_t)i, w->distance[i]);
    return MN_OK;
  }
  const mn_mark mark = mn_scratch_mark(ctx);
  mn_points query = { .n = 1, .d = w->rows->d };
  mn_csr part;
  mn_neighbor_lists lists;
  if (w->rows->x) query.x = w->rows->x + (size_t)from * w->rows->d;
  if (w->rows->sparse) {
    part = *w->rows->sparse;
    part.rows = 1;
    part.start += from;
    query.sparse = &part;
  }
  MN_TRY(mn_neighbor_within(ctx, &w->index, w->rows, &query, w->max_eps, false, &lists));
  for (size_t k = 0; k < lists.start[1]; k++) reach(r, &w->queue, from, lists.at[k].index, lists.at[k].value);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

static mn_status prepare(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows, size_t min_samples,
                         double max_eps, mn_reachability *r, struct walk *w)
{
  enum { LEAF = 30 };
  const mn_index_options options = { .metric = metric, .leaf_size = LEAF, .scratch = true };
  mn_known_neighbors known;
  *w = (struct walk){ .rows = rows, .max_eps = max_eps };
  MN_TRY(mn_neighbor_index_init(ctx, who, &w->index, rows, options));
  const mn_mark mark = mn_scratch_mark(ctx);
  MN_TRY(mn_core_distances(ctx, &w->index, rows, NULL, (double)min_samples, r->core, &known));
  mn_scratch_release(ctx, mark);
  if (!(max_eps < INFINITY)) MN_TRY(mn_row_distances_init(ctx, who, &w->all, metric, rows));
  w->distance = MN_RAW(ctx, double, r->n, 1);
  w->queue = (struct queue){ .reachability = r->reachability,
                             .row = MN_RAW(ctx, int32_t, r->n, 1),
                             .place = MN_RAW(ctx, int32_t, r->n, 1) };
  if (!w->distance || !w->queue.row || !w->queue.place) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->n; i++) {
    if (r->core[i] > max_eps) r->core[i] = INFINITY;
    r->reachability[i] = INFINITY;
    r->predecessor[i] = w->queue.place[i] = -1;
  }
  return MN_OK;
}

mn_status mn_order_by_reachability(mn_context *ctx, const char *who, mn_metric metric, const mn_points *rows,
                                   size_t min_samples, double max_eps, mn_reachability *r)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  struct walk w;
  MN_TRY(prepare(ctx, who, metric, rows, min_samples, max_eps, r, &w));
  int32_t first = 0;
  for (size_t i = 0; i < r->n; i++) {
    MN_TRY(mn_poll(ctx));
    while (w.queue.size == 0 && w.queue.place[first] == -2) first++;
    const int32_t row = w.queue.size > 0 ? take(&w.queue) : first;
    w.queue.place[row] = -2;
    r->ordering[i] = row;
    MN_TRY(reach_neighbors(ctx, &w, r, row));
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

/* --- clusters at a radius --- */

void mn_cut_reachability(const mn_reachability *r, double eps, int32_t *label, size_t *clusters)
{
  *clusters = 0;
  for (size_t i = 0; i < r->n; i++) {
    const int32_t row = r->ordering[i];
    const bool far = r->reachability[row] > eps, core = r->core[row] <= eps;
    if (far && core) (*clusters)++;
    label[row] = far && !core ? -1 : (int32_t)*clusters - 1;
  }
}

/* --- clusters between steep slopes: figure 19 of the paper --- */

/* A steep downward area, and the largest reachability after it so far. */
struct slope {
  size_t begin, end;
  double between;
};

struct scan {
  const mn_reachability *r;
  mn_steep settings;
  double *height; /* n + 1: the plot, which ends with INFINITY                */
  double keep;    /* 1 - xi                                                   */
  struct slope *down;
  size_t downs;
  mn_steep_area *spans;
  size_t count, capacity;
};

/* Ratios of consecutive heights; INFINITY / INFINITY is neither steep nor sloped. */
static double ratio(const struct scan *s, size_t i)
{
  return s->height[i] / s->height[i + 1];
}

static bool is_steep(const struct scan *s, size_t i, bool upward)
{
  return upward ? ratio(s, i) <= s->keep : ratio(s, i) >= 1 / s->keep;
}

/* The end of the steep area that begins at a position: at most min_samples points in a row in it are not steep, and
 * none slopes the other way. */
static size_t area_end(const struct scan *s, size_t begin, bool upward)
{
  size_t end = begin, flat = 0;
  for (size_t i = begin; i < s->r->n; i++) {
    if (is_steep(s, i, upward)) {
      flat = 0;
      end = i;
    } else if (upward ? ratio(s, i) > 1 : ratio(s, i) < 1) {
      break;
    } else if (++flat > s->settings.min_samples) {
      break;
    }
  }
  return end;
}

/* Drop downward areas whose begin is not above what came after them. */
static void filter_downs(struct scan *s, double between)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->downs && between < INFINITY; i++) {
    if (!(between <= s->height[s->down[i].begin] * s->keep)) continue;
    s->down[kept] = s->down[i];
    s->down[kept].between = fmax(s->down[kept].between, between);
    kept++;
  }
  s->downs = kept;
}

/* Shorten a cluster whose last row was reached from outside of it: Schubert & Gertz, LWDA 2018. False: nothing is left.
 */
static bool correct_end(const struct scan *s, mn_steep_area *span)
{
  for (; span->begin < span->end; span->end--) {
    if (s->height[span->begin] > s->height[span->end]) return true;
    const int32_t from = s->r->predecessor[s->r->ordering[span->end]];
    for (size_t i = span->begin; i < span->end; i++)
      if (s->r->ordering[i] == from) return true;
  }
  return false;
}

/* The cluster between a downward area and an upward one. False: there is none. */
static bool make_span(const struct scan *s, const struct slope *down, size_t up_begin, size_t up_end,
                      mn_steep_area *span)
{
  const double *h = s->height, after = h[up_end + 1], before = h[down->begin];
  *span = (mn_steep_area){ down->begin, up_end };
  if (after * s->keep < down->between) return false;
  if (before * s->keep >= after) {
    while (h[span->begin + 1] > after && span->begin < down->end) span->begin++;
  } else if (after * s->keep >= before) {
    while (h[span->end - 1] > before && span->end > up_begin) span->end--;
  }
  if (s->settings.predecessor_correction && !correct_end(s, span)) return false;
  return span->end + 1 >= span->begin + s->settings.min_cluster_size && span->begin <= down->end &&
         span->end >= up_begin;
}

/* Add the clusters that end with an upward area, the smaller ones first. */
static mn_status add_spans(mn_context *ctx, struct scan *s, size_t up_begin, size_t up_end)
{
  for (size_t i = s->downs; i-- > 0;) {
    mn_steep_area span;
    if (!make_span(s, &s->down[i], up_begin, up_end, &span)) continue;
    if (s->count == s->capacity) {
      s->capacity = 2 * s->capacity;
      s->spans = MN_GROW(ctx, s->spans, s->count, s->capacity);
      MN_CHECK_ALLOC(s->spans);
    }
    s->spans[s->count++] = span;
  }
  return MN_OK;
}

static mn_status scan_plot(mn_context *ctx, struct scan *s)
{
  double between = 0;
  size_t next = 0; /* the first position after the areas so far */
  for (size_t i = 0; i < s->r->n; i++) {
    const bool up = is_steep(s, i, true), down = is_steep(s, i, false);
    if (i < next || !(up || down)) continue;
    MN_TRY(mn_poll(ctx));
    for (size_t k = next; k <= i; k++) between = fmax(between, s->height[k]);
    filter_downs(s, between);
    const size_t end = area_end(s, i, !down);
    next = end + 1;
    between = s->height[next];
    if (down)
      s->down[s->downs++] = (struct slope){ i, end, 0 };
    else
      MN_TRY(add_spans(ctx, s, i, end));
  }
  return MN_OK;
}

mn_status mn_find_spans(mn_context *ctx, const mn_reachability *r, mn_steep settings, mn_steep_area **spans,
                        size_t *count)
{
  enum { CAPACITY = 64 };
  struct scan s = { .r = r, .settings = settings, .keep = 1 - settings.xi, .capacity = CAPACITY };
  s.height = MN_RAW(ctx, double, r->n + 1, 1);
  s.down = MN_RAW(ctx, struct slope, r->n, 1);
  s.spans = MN_RAW(ctx, mn_steep_area, s.capacity, 1);
  if (!s.height || !s.down || !s.spans) return MN_NO_MEMORY;
  for (size_t i = 0; i < r->n; i++) s.height[i] = r->reachability[r->ordering[i]];
  s.height[r->n] = INFINITY;
  MN_TRY(scan_plot(ctx, &s));
  *spans = s.spans;
  *count = s.count;
  return MN_OK;
}

void mn_label_spans(const mn_reachability *r, const mn_steep_area *spans, size_t count, int32_t *label,
                    size_t *clusters)
{
  *clusters = 0;
  for (size_t i = 0; i < r->n; i++) label[i] = -1;
  for (size_t c = 0; c < count; c++) {
    bool free = true;
    for (size_t i = spans[c].begin; i <= spans[c].end && free; i++) free = label[r->ordering[i]] < 0;
    if (!free) continue;
    for (size_t i = spans[c].begin; i <= spans[c].end; i++) label[r->ordering[i]] = (int32_t)*clusters;
    (*clusters)++;
  }
}
