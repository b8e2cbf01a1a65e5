#include "lists.h"
#include "../stats/argsort.h"
#include <math.h>

/* One query. */
struct list {
  const mn_lists *all;
  size_t n;
  const double *relevance, *score;
  size_t *order;
};

static double gain_of(const mn_lists *all, double relevance)
{
  return all->exponential ? exp2(relevance) - 1 : relevance;
}

static double discount(size_t rank)
{
  return 1 / log2((double)rank + 1);
}

/* The end of the ties with the item at rank `begin`. */
static size_t end_of_tie(const struct list *l, size_t begin, const double *by)
{
  size_t end = begin + 1;
  while (end < l->n && by[l->order[end]] == by[l->order[begin]]) end++;
  return end;
}

/* DCG with the items ranked by `by`, descending. */
static mn_status dcg(mn_context *ctx, const struct list *l, const double *by, double *sum)
{
  MN_TRY(mn_argsort_descending(ctx, l->n, by, 1, l->order));
  *sum = 0;
  for (size_t i = 0; i < l->n && i < l->all->k;) {
    const size_t end = l->all->keep_order ? i + 1 : end_of_tie(l, i, by);
    double gains = 0, discounts = 0;
    for (size_t j = i; j < end; j++) {
      gains += gain_of(l->all, l->relevance[l->order[j]]);
      if (j < l->all->k) discounts += discount(j + 1);
    }
    *sum += gains / (double)(end - i) * discounts;
    i = end;
  }
  return MN_OK;
}

static mn_status ndcg(mn_context *ctx, const struct list *l, double *value)
{
  double best;
  MN_TRY(dcg(ctx, l, l->score, value));
  MN_TRY(dcg(ctx, l, l->relevance, &best));
  *value = best > 0 ? *value / best : (double)NAN;
  return MN_OK;
}

/* What is counted over the ties in rank order. */
struct found {
  double relevant;  /* number of relevant items                      */
  double precision; /* sum over relevant items of the precision       */
  double top;       /* expected number of relevant items in the first k */
  size_t first;     /* rank of the first relevant item, 0: none       */
};

static struct found count_relevant(const struct list *l)
{
  struct found f = { 0 };
  for (size_t i = 0, end; i < l->n; i = end) {
    double here = 0;
    end = end_of_tie(l, i, l->score);
    for (size_t j = i; j < end; j++) here += l->relevance[l->order[j]] > 0;
    if (here > 0) {
      if (f.first == 0) f.first = end - (size_t)here + 1; /* with the relevant items last among the ties */
      f.relevant += here;
      f.precision += here * f.relevant / (double)end;
    }
    const size_t left = l->all->k > i ? l->all->k - i : 0;
    f.top += end - i <= left ? here : here * (double)left / (double)(end - i);
  }
  return f;
}

static mn_status measure_one(mn_context *ctx, const struct list *l, mn_list_measure measure, double *value)
{
  if (measure == MN_LIST_DCG) return dcg(ctx, l, l->score, value);
  if (measure == MN_LIST_NDCG) return ndcg(ctx, l, value);
  MN_TRY(mn_argsort_descending(ctx, l->n, l->score, 1, l->order));
  const struct found f = count_relevant(l);
  if (measure == MN_LIST_AP) *value = f.precision / f.relevant;
  if (measure == MN_LIST_PRECISION) *value = f.top / (double)l->all->k;
  if (measure == MN_LIST_RECALL) *value = f.top / f.relevant;
  if (measure == MN_LIST_RECIPROCAL) *value = 1 / (double)f.first;
  if (f.relevant == 0 && measure != MN_LIST_PRECISION) *value = (double)NAN;
  return MN_OK;
}

mn_status mn_measure_lists(mn_context *ctx, const mn_lists *lists, mn_list_measure measure, double *out)
{
  size_t longest = 0;
  for (size_t q = 0; q < lists->queries; q++) {
    const size_t n = lists->start[q + 1] - lists->start[q];
    if (n > longest) longest = n;
  }
  size_t *order = MN_RAW(ctx, size_t, longest, 1);
  MN_CHECK_ALLOC(order);
  for (size_t q = 0; q < lists->queries; q++) {
    const size_t begin = lists->start[q];
    const struct list l = { lists, lists->start[q + 1] - begin, lists->relevance + begin, lists->score + begin, order };
    MN_TRY(measure_one(ctx, &l, measure, &out[q]));
  }
  return MN_OK;
}
