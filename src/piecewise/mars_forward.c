/* The forward pass of MARS: terms are added in pairs, each time the pair that lowers the RSS most.
 *
 * The pair b (x - t)+ and b (t - x)+ of a parent b, a column x and a knot t spans, together with b, the same space as b
 * x and b (x - t)+. So for each parent and column b x is evaluated once, and then all knots from right to left, where
 * the products of b (x - t)+ with the orthonormal columns q and the residuals are sums over the rows beyond t,
 *
 *     sum w b (x - t) q = A - t B,     A = sum w b x q,  B = sum w b q.
 *
 * Each row updates A and B for all q: Friedman's updates (equation 52) with orthonormal columns, so that the RSS of a
 * candidate needs no linear solve. Candidates are independent of each other and evaluated in parallel. */
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "mars.h"
#include "mars_kernel.h"
#include <string.h>

enum { BATCH = 64 };

/* A hinge is rejected if the share of its variance outside the span of the other terms and the linear term is at most
 * this. As in R's earth, whose terms are to be reproduced: strict for the first terms, later only above rounding error.
 */
static const double min_hinge_early = 0.01, min_hinge_late = 1e-5;
enum { EARLY_TERMS = 15 };
/* The same for the linear term, where earth requires 0.01 in the squared units of X. */
static const double min_linear = 1e-9;
/* Relative improvement below which candidates are tied, so that rounding does not choose between them. */
static const double tie_margin = 1 + 1e-10;

struct candidate {
  size_t parent, column;
  double gain; /* decrease of the RSS; divided by 1 + newvar_penalty for a new column */
  double knot;
  bool linear, new_linear; /* no knot; the linear term is not in the span yet */
};

struct parent {
  size_t term, place; /* place: its index from 1, as if all terms came in pairs */
  double best;        /* best gain when it was last tried */
  size_t step;        /* step in which it was last tried */
};

struct forward {
  const mn_mars_settings *settings;
  mn_mars_basis *b;
  size_t p, width, ld;
  double min_hinge;
  int32_t *order;          /* p x n: rows by decreasing value */
  double *x;               /* p x n: columns minus their maximum */
  double *highest;         /* p                                    */
  bool *used;              /* p: whether it is in a term */
  double *wb;              /* parents x n: sample weight times parent */
  double *positive_weight; /* parents: weight of the rows where the parent is positive */
  struct candidate *list;
  double *work; /* workers x 3 ld: moments, products with the linear term */
};

/* The number of rows between knots, and before the first knot from the right. Friedman (1991), equations 43 and 45;
 * like R's earth, the knots are centered between the ends. */
struct spans {
  double between, end, start;
};

static struct spans compute_spans(const mn_mars_settings *settings, double total, double positive_weight,
                                  bool interaction)
{
  const double alpha = 0.05, p = (double)settings->p, half = fmax(1, floor(total / 2) - 1);
  struct spans s = { .between = settings->minspan };
  s.end = settings->endspan > 0 ? settings->endspan : floor(3 - log2(alpha / p));
  if (interaction) s.end += floor(settings->adjust_endspan * s.end);
  s.end = fmin(s.end, half);
  if (settings->minspan < 0) {
    s.between = ceil(total / (1 - settings->minspan));
    s.start = s.between - 1;
    if (s.start < s.end) s.start += s.between * ceil((s.end - s.start) / s.between);
    return s;
  }
  if (settings->minspan == 0) s.between = floor(-log2(-log1p(-alpha) / (p * positive_weight)) / 2.5);
  s.between = fmax(1, s.between);
  const double remaining = floor(total - 2 * s.end - 1);
  s.start = s.end + (remaining > 0 ? ceil(fmod(remaining, s.between) / 2) : 0);
  return s;
}

/* State of the pass over the rows for one candidate. */
struct scan {
  const struct forward *f;
  struct candidate *c;
  double *first, *zeroth, *product; /* ld each: residuals, then orthonormal columns */
  double p0, p1, p2;                /* sums of w b^2 x^k over the rows beyond the knot */
  double linear_norm, linear_gain;
  int32_t row[BATCH];
  double x[BATCH], z[BATCH];
  size_t count;
};

static void flush_batch(struct scan *s)
{
  const struct forward *f = s->f;
  mn_mars_moments(s->count, s->row, s->x, s->z, f->b->ortho, f->ld, f->width, s->first, s->zeroth);
  s->count = 0;
}

static void add_row(struct scan *s, int32_t row, double x, double z, double square)
{
  s->row[s->count] = row;
  s->x[s->count] = x;
  s->z[s->count] = z;
  s->p0 += square;
  s->p1 += square * x;
  s->p2 += square * x * x;
  if (++s->count == BATCH) flush_batch(s);
}

/* Gain of the linear term. The products of b x with the columns are kept for the knots. */
static void try_linear(struct scan *s, const double *wb, const double *parent, const double *x)
{
  const mn_mars_basis *b = s->f->b;
  const size_t targets = b->targets;
  const double square = mn_mars_square(b->n, x, wb, parent);
  double explained = 0, gain = 0;
  mn_mars_project(b->n, x, wb, b->ortho, b->ld, s->f->width, s->product);
  for (size_t k = 0; k < b->terms; k++) explained += s->product[targets + k] * s->product[targets + k];
  const double rest = square - explained, constant = s->product[targets];
  s->linear_norm = 0;
  s->linear_gain = 0;
  s->c->new_linear = rest > min_linear * (square - constant * constant) && rest > 16 * DBL_EPSILON * square;
  if (!s->c->new_linear) return;
  s->linear_norm = sqrt(rest);
  for (size_t t = 0; t < targets; t++) gain += s->product[t] / rest * s->product[t];
  s->linear_gain = s->c->gain = gain;
  s->c->linear = true;
}

/* Gain with a knot at t, the value of x in `row`; updates the candidate if it is the best so far. */
static void try_knot(struct scan *s, double t, int32_t row)
{
  const mn_mars_basis *b = s->f->b;
  const size_t targets = b->targets;
  double inside, with_linear, gain = s->linear_gain, on_linear = 0;
  if (s->count > 0) flush_batch(s);
  mn_mars_knot(b->terms, t, s->first + targets, s->zeroth + targets, s->product + targets, &inside, &with_linear);
  const double square = s->p2 - t * s->p1 - t * (s->p1 - t * s->p0), mean = s->first[targets] - t * s->zeroth[targets];
  if (s->linear_norm > 0) on_linear = (s->p2 - t * s->p1 - with_linear) / s->linear_norm;
  const double rest = square - inside - on_linear * on_linear;
  if (!(rest > s->f->min_hinge * (square - mean * mean))) return;
  for (size_t k = 0; k < targets; k++) {
    double u = s->first[k] - t * s->zeroth[k];
    if (s->linear_norm > 0) u -= on_linear * s->product[k] / s->linear_norm;
    gain += u / rest * u;
  }
  if (!(gain > s->c->gain * tie_margin)) return;
  s->c->gain = gain;
  s->c->knot = mn_row(&b->data->x, (size_t)row)[s->c->column]; /* exact: not shifted by the maximum */
  s->c->linear = false;
}

/* Rows to the next knot after `gone` rows. If knots were passed, counted from the last one. Closed form, because
 * weights may be huge. */
static double rows_left(double remaining, double gone, double between)
{
  return remaining > gone ? remaining - gone : between - fmod(gone - remaining, between);
}

/* Try all knots, from right to left. A row of weight k counts as k rows: after all but the last of them the next row is
 * the row itself. Only rows where the parent is positive count toward the span between knots. */
static void try_knots(struct scan *s, const struct spans *spans, const double *wb)
{
  const mn_mars_basis *b = s->f->b;
  const double *column = s->f->x + s->c->column * b->n;
  const int32_t *order = s->f->order + s->c->column * b->n;
  double below = b->total, above = 0, remaining = spans->start > 1 ? spans->start : 1;
  double first = -INFINITY; /* largest x where the parent is nonzero: the hinge is nonzero only below it */
  for (size_t i = 0; i + 1 < b->n; i++) {
    const int32_t row = order[i];
    const double x = column[row], next = column[order[i + 1]], w = b->w[row], z = wb[row];
    const double span_weight = z > 0 ? w : 0, repeats = span_weight > 1 ? span_weight - 1 : 0;
    if (z != 0 && first < x) first = x;
    if (repeats > 0 && x < first) {
      if (repeats >= remaining && below - 1 - remaining >= spans->end && above + remaining >= spans->end)
        try_knot(s, x, row);
      remaining = rows_left(remaining, repeats, spans->between);
    }
    if (z != 0) add_row(s, row, x, z, z / w * z);
    below -= w;
    above += w;
    if (!(below - 1 >= spans->end)) return;
    if (span_weight > 0 && next < first) {
      remaining -= span_weight - repeats;
      if (remaining <= 0) {
        if (above >= spans->end) try_knot(s, next, order[i + 1]);
        remaining += spans->between;
      }
    }
  }
}

static void try_candidate(void *work, size_t block, size_t worker)
{
  const struct forward *f = work;
  const mn_mars_basis *b = f->b;
  struct candidate *c = &f->list[block];
  double *workspace = f->work + worker * 3 * f->ld;
  struct scan s = { .f = f, .c = c, .first = workspace, .zeroth = workspace + f->ld, .product = workspace + 2 * f->ld };
  const double *wb = f->wb + c->parent * b->n;
  memset(workspace, 0, 3 * f->ld * sizeof *workspace);
  try_linear(&s, wb, b->value + c->parent * b->n, f->x + c->column * b->n);
  if (!f->settings->linear[c->column]) {
    const struct spans spans = compute_spans(f->settings, b->total, f->positive_weight[c->parent], c->parent > 0);
    try_knots(&s, &spans, wb);
  }
  if (!f->used[c->column]) c->gain /= 1 + f->settings->newvar_penalty;
}

/* Fast MARS, section 3: parents ordered by the rank of their last gain plus fast_beta for each step since. */
static void choose_parents(const struct forward *f, struct parent *parents, size_t count, size_t step, size_t *chosen,
                           size_t *size)
{
  size_t n_chosen = 0;
  if (f->settings->fast_k > 0 && f->settings->fast_k < *size) *size = f->settings->fast_k;
  for (; n_chosen < *size; n_chosen++) {
    double highest = -INFINITY;
    size_t best = 0;
    for (size_t k = 0; k < count; k++) {
      size_t rank = 0;
      bool out = false;
      for (size_t t = 0; t < n_chosen; t++) out = out || chosen[t] == k;
      if (out) continue;
      for (size_t l = 0; l < count; l++) rank += parents[l].best < parents[k].best;
      const double priority = (double)rank + f->settings->fast_beta * (double)(step - parents[k].step);
      if (priority > highest) highest = priority, best = k;
    }
    chosen[n_chosen] = best;
  }
}

static size_t degree_of(const mn_mars_basis *b, size_t term)
{
  size_t degree = 0;
  for (size_t j = 0; j < b->p; j++) degree += b->dirs[term * b->p + j] != 0;
  return degree;
}

static void prepare_parent(struct forward *f, size_t term)
{
  const mn_mars_basis *b = f->b;
  f->positive_weight[term] = 0;
  for (size_t i = 0; i < b->n; i++) {
    const double value = b->value[term * b->n + i];
    f->wb[term * b->n + i] = b->w[i] * value;
    if (value > 0) f->positive_weight[term] += b->w[i];
  }
}

/* The best candidate over the chosen parents and all columns; its gain is 0 if there is none. */
static mn_status find_best(mn_context *ctx, struct forward *f, struct parent *parents, const size_t *chosen,
                           size_t count, size_t step, struct candidate *best)
{
  size_t size = 0;
  for (size_t k = 0; k < count; k++) {
    struct parent *parent = &parents[chosen[k]];
    parent->best = 0;
    parent->step = step;
    for (size_t j = 0; j < f->p; j++)
      if (f->b->dirs[parent->term * f->p + j] == MN_MARS_ABSENT)
        f->list[size++] = (struct candidate){ .parent = parent->term, .column = j };
  }
  f->width = (f->b->targets + f->b->terms + 7) / 8 * 8;
  MN_TRY(mn_parallel(ctx, size, try_candidate, f));
  *best = (struct candidate){ 0 };
  for (size_t c = 0; c < size; c++) {
    if (f->list[c].gain > best->gain * tie_margin) *best = f->list[c];
    for (size_t k = 0; k < count; k++) {
      struct parent *parent = &parents[chosen[k]];
      if (parent->term == f->list[c].parent) parent->best = fmax(parent->best, f->list[c].gain);
    }
  }
  return MN_OK;
}

/* Add the terms of a candidate. */
static void add_terms(struct forward *f, const struct candidate *c)
{
  mn_mars_basis *b = f->b;
  f->used[c->column] = true;
  if (c->linear) {
    double lowest = INFINITY;
    for (size_t i = 0; i < b->n; i++) lowest = fmin(lowest, mn_row(&b->data->x, i)[c->column]);
    if (f->settings->auto_linear || f->settings->linear[c->column])
      mn_mars_basis_add(b, c->parent, c->column, MN_MARS_LINEAR, 0);
    else
      mn_mars_basis_add(b, c->parent, c->column, MN_MARS_ABOVE, lowest);
    return;
  }
  mn_mars_basis_add(b, c->parent, c->column, MN_MARS_ABOVE, c->knot);
  if (c->new_linear) mn_mars_basis_add(b, c->parent, c->column, MN_MARS_BELOW, c->knot);
}

/* Whether the forward pass ends before this candidate is added. */
static bool should_stop(const struct forward *f, const struct candidate *c, double gain)
{
  mn_mars_basis *b = f->b;
  const mn_mars_settings *settings = f->settings;
  const size_t terms = b->terms + (c->linear || !c->new_linear ? 1 : 2);
  const double null_gcv = mn_mars_gcv(settings->penalty, b->total, b->rss0, 1);
  const double grsq = 1 - mn_mars_gcv(settings->penalty, b->total, b->rss - gain, terms) / null_gcv;
  b->ended = !(gain > 0)                          ? MN_MARS_NOTHING
             : settings->thresh > 0 && grsq < -10 ? MN_MARS_BAD_GCV
             : gain < settings->thresh * b->rss0  ? MN_MARS_THRESH
                                                  : -1;
  return b->ended >= 0;
}

/* Sort the rows by each column. */
static mn_status sort_rows(mn_context *ctx, struct forward *f)
{
  const mn_mars_basis *b = f->b;
  const size_t n = b->n;
  size_t *order = MN_RAW(ctx, size_t, n, 1);
  MN_CHECK_ALLOC(order);
  for (size_t j = 0; j < f->p; j++) {
    const mn_mark mark = mn_scratch_mark(ctx);
    MN_TRY(mn_poll(ctx));
    MN_TRY(mn_argsort(ctx, n, b->data->x.at + j, b->data->x.cols, order));
    mn_scratch_release(ctx, mark);
    f->highest[j] = mn_row(&b->data->x, order[n - 1])[j];
    for (size_t i = 0; i < n; i++) {
      f->order[j * n + i] = (int32_t)order[n - 1 - i];
      f->x[j * n + i] = mn_row(&b->data->x, i)[j] - f->highest[j];
    }
  }
  return MN_OK;
}

static mn_status init_forward(mn_context *ctx, struct forward *f, mn_mars_basis *b, const mn_mars_settings *settings)
{
  *f = (struct forward){ .settings = settings, .b = b, .p = b->p, .ld = b->ld };
  const size_t parents = settings->degree > 1 ? b->max_terms : 1;
  f->order = MN_RAW(ctx, int32_t, f->p, b->n);
  f->x = MN_RAW(ctx, double, f->p, b->n);
  f->highest = MN_RAW(ctx, double, f->p, 1);
  f->used = MN_NEW(ctx, bool, f->p, 1);
  f->wb = MN_RAW(ctx, double, parents, b->n);
  f->positive_weight = MN_RAW(ctx, double, parents, 1);
  f->list = MN_RAW(ctx, struct candidate, parents, f->p);
  f->work = MN_RAW(ctx, double, 3 * mn_threads(ctx), b->ld);
  if (!f->order || !f->x || !f->highest || !f->used || !f->wb || !f->positive_weight || !f->list || !f->work)
    return MN_NO_MEMORY;
  prepare_parent(f, 0);
  return sort_rows(ctx, f);
}

/* Add the new terms as parents if their degree permits. `made`: number of terms before them, counted in pairs. */
static void add_parents(struct forward *f, struct parent *parents, size_t *count, size_t from, size_t made, size_t step)
{
  for (size_t m = from; m < f->b->terms; m++)
    if (degree_of(f->b, m) < f->settings->degree) {
      prepare_parent(f, m);
      parents[(*count)++] = (struct parent){ .term = m, .place = made + 1 + m - from, .best = INFINITY, .step = step };
    }
}

/* Number of parents that may be tried: those with a place of at most the number of terms. A term added alone leaves a
 * place unused, which delays later parents; this is the rule of earth. */
static size_t count_ready(const struct forward *f, const struct parent *parents, size_t count)
{
  while (count > 0 && parents[count - 1].place > f->b->terms) count--;
  return count;
}

mn_status mn_mars_forward(mn_context *ctx, const mn_data *data, const mn_matrix *y, const mn_mars_settings *settings,
                          mn_mars_basis *b)
{
  struct forward f;
  struct candidate best;
  size_t count = 0, made = 1, step = 0;
  MN_TRY(mn_mars_basis_init(ctx, data, y, settings->max_terms, b));
  MN_TRY(init_forward(ctx, &f, b, settings));
  struct parent *parents = MN_RAW(ctx, struct parent, settings->max_terms, 1);
  size_t *chosen = MN_RAW(ctx, size_t, settings->max_terms, 1);
  if (!parents || !chosen) return MN_NO_MEMORY;
  add_parents(&f, parents, &count, 0, 0, 0);
  b->ended = MN_MARS_FULL;
  /* terms are counted as if they always came in pairs, as in earth */
  for (; made + 2 <= settings->max_terms; made += 2, step++) {
    size_t n_chosen = count_ready(&f, parents, count);
    choose_parents(&f, parents, n_chosen, step, chosen, &n_chosen);
    f.min_hinge = made < EARLY_TERMS ? min_hinge_early : min_hinge_late;
    MN_TRY(find_best(ctx, &f, parents, chosen, n_chosen, step, &best));
    const double gain = f.used[best.column] ? best.gain : best.gain * (1 + settings->newvar_penalty);
    if (should_stop(&f, &best, gain)) break;
    const size_t from = b->terms;
    add_terms(&f, &best);
    add_parents(&f, parents, &count, from, made, step);
    if (b->rss <= settings->thresh * b->rss0) {
      b->ended = MN_MARS_PERFECT;
      break;
    }
    b->ended = MN_MARS_FULL;
    if (!mn_report_progress(ctx, (double)(made + 2), (double)settings->max_terms, b->rss)) {
      b->ended = MN_MARS_STOPPED;
      break;
    }
  }
  return mn_error_status(ctx);
}
