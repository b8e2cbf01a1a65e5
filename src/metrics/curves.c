#include "curves.h"
#include "../stats/argsort.h"
#include <math.h>

/* Called for each distinct score with the weights of the negative and positive rows that have it. */
typedef void (*visit)(void *user, double score, double negative, double positive);

/* Visit the distinct scores in descending order. */
static mn_status visit_scores(mn_context *ctx, const mn_ranking *r, visit step, void *user)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t *order = MN_RAW(ctx, size_t, r->n, 1);
  MN_CHECK_ALLOC(order);
  MN_TRY(mn_argsort_descending(ctx, r->n, r->score, r->step, order));
  for (size_t i = 0; i < r->n;) {
    const double score = r->score[order[i] * r->step];
    double weight[2] = { 0, 0 };
    for (; i < r->n && r->score[order[i] * r->step] == score; i++)
      weight[r->code[order[i]] == r->positive] += r->w ? r->w[order[i]] : 1;
    step(user, score, weight[0], weight[1]);
  }
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

struct curve {
  double *negative, *positive, *score;
  bool corners;
  double below, above; /* weights so far         */
  double right, up;    /* the step to this point */
  size_t steps, count;
};

static void add_point(void *user, double score, double negative, double positive)
{
  struct curve *c = user;
  if (negative + positive == 0) return; /* rows of weight 0 are ignored */
  const bool straight = c->steps >= 2 && negative == c->right && positive == c->up;
  if (c->corners && straight) c->count--;
  c->below += negative;
  c->above += positive;
  c->negative[c->count] = c->below;
  c->positive[c->count] = c->above;
  c->score[c->count++] = score;
  c->right = negative;
  c->up = positive;
  c->steps++;
}

mn_status mn_ranking_curve(mn_context *ctx, const mn_ranking *r, bool corners, double *negative, double *positive,
                           double *score, size_t *count)
{
  struct curve c = { .negative = negative, .positive = positive, .score = score, .corners = corners, .count = 1 };
  negative[0] = positive[0] = 0;
  score[0] = INFINITY;
  MN_TRY(visit_scores(ctx, r, add_point, &c));
  *count = c.count;
  return MN_OK;
}

struct sums {
  double negative, positive; /* weights so far */
  double area, precision;
};

static void add_sums(void *user, double score, double negative, double positive)
{
  struct sums *s = user;
  (void)score;
  s->area += negative * (s->positive + positive / 2);
  s->negative += negative;
  s->positive += positive;
  if (positive > 0) s->precision += positive * (s->positive / (s->positive + s->negative));
}

mn_status mn_ranking_area(mn_context *ctx, const mn_ranking *r, double *area)
{
  struct sums s = { 0 };
  MN_TRY(visit_scores(ctx, r, add_sums, &s));
  *area = s.negative > 0 && s.positive > 0 ? s.area / (s.negative * s.positive) : (double)NAN;
  return MN_OK;
}

mn_status mn_ranking_precision(mn_context *ctx, const mn_ranking *r, double *precision)
{
  struct sums s = { 0 };
  MN_TRY(visit_scores(ctx, r, add_sums, &s));
  *precision = s.positive > 0 ? s.precision / s.positive : (double)NAN;
  return MN_OK;
}

struct placements {
  double negatives, positives, area;
  double below, above;                       /* weights of each kind so far                          */
  double positive_squares, negative_squares; /* of the placements about the area                  */
};

/* The placement of a row is the fraction of rows of the other kind that it is ranked correctly against, ties half. */
static void add_placements(void *user, double score, double negative, double positive)
{
  struct placements *p = user;
  (void)score;
  const double of_positive = (p->negatives - p->below - negative / 2) / p->negatives - p->area;
  const double of_negative = (p->above + positive / 2) / p->positives - p->area;
  p->positive_squares += positive * of_positive * of_positive;
  p->negative_squares += negative * of_negative * of_negative;
  p->below += negative;
  p->above += positive;
}

mn_status mn_ranking_delong(mn_context *ctx, const mn_ranking *r, double *area, double *variance)
{
  struct placements p = { 0 };
  for (size_t i = 0; i < r->n; i++) *(r->code[i] == r->positive ? &p.positives : &p.negatives) += r->w ? r->w[i] : 1;
  MN_TRY(mn_ranking_area(ctx, r, area));
  p.area = *area;
  *variance = (double)NAN;
  if (!(p.positives > 1 && p.negatives > 1)) return MN_OK;
  MN_TRY(visit_scores(ctx, r, add_placements, &p));
  *variance =
      p.positive_squares / (p.positives - 1) / p.positives + p.negative_squares / (p.negatives - 1) / p.negatives;
  return MN_OK;
}

mn_status mn_pair_area(mn_context *ctx, size_t n, size_t k, const int32_t *code, const double *score, const double *w,
                       int32_t a, int32_t b, double *area, double *mass)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  size_t rows = 0;
  double first, second;
  for (size_t i = 0; i < n; i++) rows += code[i] == a || code[i] == b;
  int32_t *kept = MN_RAW(ctx, int32_t, rows, 1);
  double *value = MN_RAW(ctx, double, rows, 3);
  MN_CHECK_ALLOC(kept);
  MN_CHECK_ALLOC(value);
  double *of_a = value, *of_b = value + rows, *weight = value + 2 * rows;
  *mass = 0;
  rows = 0;
  for (size_t i = 0; i < n; i++) {
    if (code[i] != a && code[i] != b) continue;
    kept[rows] = code[i];
    of_a[rows] = score[i * k + (size_t)a];
    of_b[rows] = score[i * k + (size_t)b];
    weight[rows] = w ? w[i] : 1;
    *mass += weight[rows++];
  }
  MN_TRY(mn_ranking_area(ctx, &(mn_ranking){ rows, kept, a, of_a, 1, weight }, &first));
  MN_TRY(mn_ranking_area(ctx, &(mn_ranking){ rows, kept, b, of_b, 1, weight }, &second));
  *area = (first + second) / 2;
  mn_scratch_release(ctx, mark);
  return MN_OK;
}
