/* The forward pass of MARS: terms are added in pairs, each time those that lower the RSS most.
 *
 * A pair of a parent b and a column x with a knot t, b (x - t)+ and b (t - x)+, spans with b the same as b x and
 * b (x - t)+. So each parent and column is looked at once with b x, and then with all knots from right to left, where
 * the products of b (x - t)+ with the orthonormal columns q and the residuals are sums over the rows behind t,
 *
 *     sum w b (x - t) q = A - t B,     A = sum w b x q,  B = sum w b q,
 *
 * which a row entering changes by one step for each q: Friedman's updates (equation 52) with orthonormal columns, so
 * that the fall of the RSS needs no system to be solved. Candidates are independent of each other, and are tried in
 * parallel. */
#include "../core/threads.h"
#include "../stats/argsort.h"
#include "mars.h"
#include "mars_kernel.h"
#include <string.h>

enum { BATCH = 64 };

/* A knot whose hinge lies within the others and the linear term up to this share of its variance is passed over. R's
 * earth, whose terms these are to be, is strict for the first terms, where a bend must be one, and asks later only that
 * it can be told from rounding. */
static const double least_hinge_early = 0.01, least_hinge_late = 1e-5;
enum { EARLY_TERMS = 15 };
/* The same for the linear term, where earth asks for 0.01 in the square of the units of X. */
static const double least_linear = 1e-9;
/* What is no better than by this share is no better: so that rounding does not choose between equals. */
static const double margin = 1 + 1e-10;

struct candidate {
  size_t parent, column;
  double gain; /* how much the RSS falls; divided by 1 + newvar_penalty for a new column */
  double cut;
  bool linear, new_linear; /* no knot; the linear term is not there yet */
};

struct parent {
  size_t term, place; /* place: its number if all terms came in pairs, from 1 */
  double best;        /* its best gain when it was last tried                  */
  size_t step;        /* when that was                                         */
};

struct forward {
  const mn_mars_rule *rule;
  mn_mars_basis *b;
  size_t p, width, ld;
  double least_hinge;
  int32_t *order;  /* p x n: rows, the largest value first */
  double *x;       /* p x n: columns, less their highest   */
  double *highest; /* p                                    */
  bool *used;      /* p: in some term                      */
  double *wb;      /* parents x n: weight times parent     */
  double *units;   /* parents: weight of the rows where the parent is above 0 */
  struct candidate *list;
  double *work; /* workers x 3 ld: moments and the products with the linear term */
};

/* The span between knots, and where the first may lie, in rows from the right. Friedman (1991), equations 43 and 45;
 * R's earth puts the knots in the middle of what the ends leave. */
struct spans {
  double between, end, start;
};

static struct spans spans_of(const mn_mars_rule *rule, double total, double units, bool interaction)
{
  const double alpha = 0.05, p = (double)rule->p, half = fmax(1, floor(total / 2) - 1);
  struct spans s = { .between = rule->minspan };
  s.end = rule->endspan > 0 ? rule->endspan : floor(3 - log2(alpha / p));
  if (interaction) s.end += floor(rule->adjust_endspan * s.end);
  s.end = fmin(s.end, half);
  if (rule->minspan < 0) {
    s.between = ceil(total / (1 - rule->minspan));
    s.start = s.between - 1;
    if (s.start < s.end) s.start += s.between * ceil((s.end - s.start) / s.between);
    return s;
  }
  if (rule->minspan == 0) s.between = floor(-log2(-log1p(-alpha) / (p * units)) / 2.5);
  s.between = fmax(1, s.between);
  const double left = floor(total - 2 * s.end - 1);
  s.start = s.end + (left > 0 ? ceil(fmod(left, s.between) / 2) : 0);
  return s;
}

/* One candidate's pass over the rows. */
struct scan {
  const struct forward *f;
  struct candidate *c;
  double *first, *zeroth, *along; /* ld each; first the residuals, then the orthonormal columns */
  double p0, p1, p2;              /* sums of w b^2 x^k over the rows behind the knot            */
  double linear_norm, linear_gain;
  int32_t row[BATCH];
  double x[BATCH], z[BATCH];
  size_t waiting;
};

static void flush(struct scan *s)
{
  const struct forward *f = s->f;
  mn_mars_moments(s->waiting, s->row, s->x, s->z, f->b->span, f->ld, f->width, s->first, s->zeroth);
  s->waiting = 0;
}

static void enter(struct scan *s, int32_t row, double x, double z, double square)
{
  s->row[s->waiting] = row;
  s->x[s->waiting] = x;
  s->z[s->waiting] = z;
  s->p0 += square;
  s->p1 += square * x;
  s->p2 += square * x * x;
  if (++s->waiting == BATCH) flush(s);
}

/* How much the linear term explains; the products of b x with the columns stay for the knots. */
static void try_linear(struct scan *s, const double *wb, const double *parent, const double *x)
{
  const mn_mars_basis *b = s->f->b;
  const size_t targets = b->targets;
  const double square = mn_mars_square(b->n, x, wb, parent);
  double explained = 0, gain = 0;
  mn_mars_project(b->n, x, wb, b->span, b->ld, s->f->width, s->along);
  for (size_t k = 0; k < b->terms; k++) explained += s->along[targets + k] * s->along[targets + k];
  const double rest = square - explained, constant = s->along[targets];
  s->linear_norm = 0;
  s->linear_gain = 0;
  s->c->new_linear = rest > least_linear * (square - constant * constant) && rest > 16 * DBL_EPSILON * square;
  if (!s->c->new_linear) return;
  s->linear_norm = sqrt(rest);
  for (size_t t = 0; t < targets; t++) gain += s->along[t] / rest * s->along[t];
  s->linear_gain = s->c->gain = gain;
  s->c->linear = true;
}

/* The gain with a knot at t, which is x in this row, and whether it is the best so far. */
static void try_knot(struct scan *s, double t, int32_t row)
{
  const mn_mars_basis *b = s->f->b;
  const size_t targets = b->targets;
  double inside, with_linear, gain = s->linear_gain, on_linear = 0;
  if (s->waiting > 0) flush(s);
  mn_mars_knot(b->terms, t, s->first + targets, s->zeroth + targets, s->along + targets, &inside, &with_linear);
  const double square = s->p2 - t * s->p1 - t * (s->p1 - t * s->p0), mean = s->first[targets] - t * s->zeroth[targets];
  if (s->linear_norm > 0) on_linear = (s->p2 - t * s->p1 - with_linear) / s->linear_norm;
  const double rest = square - inside - on_linear * on_linear;
  if (!(rest > s->f->least_hinge * (square - mean * mean))) return;
  for (size_t k = 0; k < targets; k++) {
    double u = s->first[k] - t * s->zeroth[k];
    if (s->linear_norm > 0) u -= on_linear * s->along[k] / s->linear_norm;
    gain += u / rest * u;
  }
  if (!(gain > s->c->gain * margin)) return;
  s->c->gain = gain;
  s->c->cut = mn_row(&b->data->x, (size_t)row)[s->c->column]; /* to the bit */
  s->c->linear = false;
}

/* Rows left to the next knot after `gone` of them; as many as there are between knots from the last knot that went by.
 * Weights may be huge, so that no loop would come to an end. */
static double rows_left(double left, double gone, double between)
{
  return left > gone ? left - gone : between - fmod(gone - left, between);
}

/* Down the rows. A row of weight k is k rows: all but the last of them have their like below them as the next knot, the
 * last one the next row. A knot comes when rows where the parent is above 0 have used up the span. */
static void try_knots(struct scan *s, const struct spans *spans, const double *wb)
{
  const mn_mars_basis *b = s->f->b;
  const double *column = s->f->x + s->c->column * b->n;
  const int32_t *order = s->f->order + s->c->column * b->n;
  double below = b->total, above = 0, left = spans->start > 1 ? spans->start : 1;
  double first = -INFINITY; /* the largest x where the parent is not 0: only below it is a hinge not 0 */
  for (size_t i = 0; i + 1 < b->n; i++) {
    const int32_t row = order[i];
    const double x = column[row], next = column[order[i + 1]], w = b->w[row], z = wb[row];
    const double counted = z > 0 ? w : 0, own = counted > 1 ? counted - 1 : 0;
    if (z != 0 && first < x) first = x;
    if (own > 0 && x < first) {
      if (own >= left && below - 1 - left >= spans->end && above + left >= spans->end) try_knot(s, x, row);
      left = rows_left(left, own, spans->between);
    }
    if (z != 0) enter(s, row, x, z, z / w * z);
    below -= w;
    above += w;
    if (!(below - 1 >= spans->end)) return;
    if (counted > 0 && next < first) {
      left -= counted - own;
      if (left <= 0) {
        if (above >= spans->end) try_knot(s, next, order[i + 1]);
        left += spans->between;
      }
    }
  }
}

static void try_candidate(void *work, size_t block, size_t worker)
{
  const struct forward *f = work;
  const mn_mars_basis *b = f->b;
  struct candidate *c = &f->list[block];
  double *space = f->work + worker * 3 * f->ld;
  struct scan s = { .f = f, .c = c, .first = space, .zeroth = space + f->ld, .along = space + 2 * f->ld };
  const double *wb = f->wb + c->parent * b->n;
  memset(space, 0, 3 * f->ld * sizeof *space);
  try_linear(&s, wb, b->value + c->parent * b->n, f->x + c->column * b->n);
  if (!f->rule->linear[c->column]) {
    const struct spans spans = spans_of(f->rule, b->total, f->units[c->parent], c->parent > 0);
    try_knots(&s, &spans, wb);
  }
  if (!f->used[c->column]) c->gain /= 1 + f->rule->newvar_penalty;
}

/* --- which parents are tried --- */

/* Fast MARS, section 3: parents by the rank of their last gain, older ones going up by fast_beta a step. */
static void choose_parents(const struct forward *f, struct parent *parents, size_t count, size_t step, size_t *chosen,
                           size_t *most)
{
  size_t taken = 0;
  if (f->rule->fast_k > 0 && f->rule->fast_k < *most) *most = f->rule->fast_k;
  for (; taken < *most; taken++) {
    double highest = -INFINITY;
    size_t best = 0;
    for (size_t k = 0; k < count; k++) {
      size_t rank = 0;
      bool out = false;
      for (size_t t = 0; t < taken; t++) out = out || chosen[t] == k;
      if (out) continue;
      for (size_t l = 0; l < count; l++) rank += parents[l].best < parents[k].best;
      const double priority = (double)rank + f->rule->fast_beta * (double)(step - parents[k].step);
      if (priority > highest) highest = priority, best = k;
    }
    chosen[taken] = best;
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
  f->units[term] = 0;
  for (size_t i = 0; i < b->n; i++) {
    const double value = b->value[term * b->n + i];
    f->wb[term * b->n + i] = b->w[i] * value;
    if (value > 0) f->units[term] += b->w[i];
  }
}

/* The best of all parents chosen with all columns, or a gain of 0. */
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
    if (f->list[c].gain > best->gain * margin) *best = f->list[c];
    for (size_t k = 0; k < count; k++) {
      struct parent *parent = &parents[chosen[k]];
      if (parent->term == f->list[c].parent) parent->best = fmax(parent->best, f->list[c].gain);
    }
  }
  return MN_OK;
}

/* The RSS with a candidate, and how many terms it has. */
static void add(struct forward *f, const struct candidate *c)
{
  mn_mars_basis *b = f->b;
  f->used[c->column] = true;
  if (c->linear) {
    double lowest = INFINITY;
    for (size_t i = 0; i < b->n; i++) lowest = fmin(lowest, mn_row(&b->data->x, i)[c->column]);
    if (f->rule->auto_linear || f->rule->linear[c->column])
      mn_mars_basis_add(b, c->parent, c->column, MN_MARS_LINEAR, 0);
    else
      mn_mars_basis_add(b, c->parent, c->column, MN_MARS_ABOVE, lowest);
    return;
  }
  mn_mars_basis_add(b, c->parent, c->column, MN_MARS_ABOVE, c->cut);
  if (c->new_linear) mn_mars_basis_add(b, c->parent, c->column, MN_MARS_BELOW, c->cut);
}

/* Does the forward pass end before this candidate is taken? */
static bool refused(const struct forward *f, const struct candidate *c, double gain)
{
  mn_mars_basis *b = f->b;
  const mn_mars_rule *rule = f->rule;
  const size_t terms = b->terms + (c->linear || !c->new_linear ? 1 : 2);
  const double null = mn_mars_gcv(rule->penalty, b->total, b->rss0, 1);
  const double grsq = 1 - mn_mars_gcv(rule->penalty, b->total, b->rss - gain, terms) / null;
  b->ended = !(gain > 0)                      ? MN_MARS_NOTHING
             : rule->thresh > 0 && grsq < -10 ? MN_MARS_BAD_GCV
             : gain < rule->thresh * b->rss0  ? MN_MARS_THRESH
                                              : -1;
  return b->ended >= 0;
}

/* Rows by each column, and its values from the highest. */
static mn_status sort(mn_context *ctx, struct forward *f)
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

static mn_status begin(mn_context *ctx, struct forward *f, mn_mars_basis *b, const mn_mars_rule *rule)
{
  *f = (struct forward){ .rule = rule, .b = b, .p = b->p, .ld = b->ld };
  const size_t parents = rule->degree > 1 ? b->most_terms : 1;
  f->order = MN_RAW(ctx, int32_t, f->p, b->n);
  f->x = MN_RAW(ctx, double, f->p, b->n);
  f->highest = MN_RAW(ctx, double, f->p, 1);
  f->used = MN_NEW(ctx, bool, f->p, 1);
  f->wb = MN_RAW(ctx, double, parents, b->n);
  f->units = MN_RAW(ctx, double, parents, 1);
  f->list = MN_RAW(ctx, struct candidate, parents, f->p);
  f->work = MN_RAW(ctx, double, 3 * mn_threads(ctx), b->ld);
  if (!f->order || !f->x || !f->highest || !f->used || !f->wb || !f->units || !f->list || !f->work) return MN_NO_MEMORY;
  prepare_parent(f, 0);
  return sort(ctx, f);
}

/* Terms become parents when their degree leaves room. `made`: terms before them, counted in pairs. */
static void adopt(struct forward *f, struct parent *parents, size_t *count, size_t from, size_t made, size_t step)
{
  for (size_t m = from; m < f->b->terms; m++)
    if (degree_of(f->b, m) < f->rule->degree) {
      prepare_parent(f, m);
      parents[(*count)++] = (struct parent){ .term = m, .place = made + 1 + m - from, .best = INFINITY, .step = step };
    }
}

/* The parents whose turn has come: those whose place is no higher than the number of terms. Terms that come alone leave
 * a place empty, so that others have to wait. That is earth's rule, and its terms are wanted. */
static size_t ready(const struct forward *f, const struct parent *parents, size_t count)
{
  while (count > 0 && parents[count - 1].place > f->b->terms) count--;
  return count;
}

mn_status mn_mars_forward(mn_context *ctx, const mn_data *data, const mn_matrix *y, const mn_mars_rule *rule,
                          mn_mars_basis *b)
{
  struct forward f;
  struct candidate best;
  size_t count = 0, made = 1, step = 0;
  MN_TRY(mn_mars_basis_begin(ctx, data, y, rule->most_terms, b));
  MN_TRY(begin(ctx, &f, b, rule));
  struct parent *parents = MN_RAW(ctx, struct parent, rule->most_terms, 1);
  size_t *chosen = MN_RAW(ctx, size_t, rule->most_terms, 1);
  if (!parents || !chosen) return MN_NO_MEMORY;
  adopt(&f, parents, &count, 0, 0, 0);
  b->ended = MN_MARS_FULL;
  /* Terms are counted as if they always came in pairs, as earth does. */
  for (; made + 2 <= rule->most_terms; made += 2, step++) {
    size_t wanted = ready(&f, parents, count);
    choose_parents(&f, parents, wanted, step, chosen, &wanted);
    f.least_hinge = made < EARLY_TERMS ? least_hinge_early : least_hinge_late;
    MN_TRY(find_best(ctx, &f, parents, chosen, wanted, step, &best));
    const double gain = f.used[best.column] ? best.gain : best.gain * (1 + rule->newvar_penalty);
    if (refused(&f, &best, gain)) break;
    const size_t from = b->terms;
    add(&f, &best);
    adopt(&f, parents, &count, from, made, step);
    if (b->rss <= rule->thresh * b->rss0) {
      b->ended = MN_MARS_PERFECT;
      break;
    }
    b->ended = MN_MARS_FULL;
    if (!mn_report_progress(ctx, (double)(made + 2), (double)rule->most_terms, b->rss)) {
      b->ended = MN_MARS_STOPPED;
      break;
    }
  }
  return mn_error_status(ctx);
}
