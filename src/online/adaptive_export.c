#include "adaptive_export.h"
#include <string.h>

static void copy_tree(const mn_adaptive_forest *m, size_t store, size_t first, const mn_adaptive_splits *s)
{
  const size_t nodes = (size_t)m->used.at[store], from = store * mn_slots_per_store(m);
  for (size_t i = 0; i < 2 * nodes; i++) {
    const int32_t child = m->child.at[2 * from + i];
    s->child[2 * first + i] = child < 0 ? 0 : (int32_t)first + child;
  }
  memcpy(s->feature + first, m->feature.at + from, nodes * sizeof *s->feature);
  memcpy(s->threshold + first, m->threshold.at + from, nodes * sizeof *s->threshold);
  memcpy(s->observed + first * s->n_observed, m->observed.at + from * s->n_observed,
         nodes * s->n_observed * sizeof *s->observed);
}

mn_status mn_adaptive_collect_splits(mn_context *ctx, const mn_adaptive_forest *m, size_t trees, const size_t *store,
                                     mn_adaptive_splits *s)
{
  *s = (mn_adaptive_splits){ .trees = trees, .n_observed = mn_observed_per_leaf(m) };
  for (size_t i = 0; i < trees; i++) s->nodes += (size_t)m->used.at[store[i]];
  if (s->nodes > (size_t)INT32_MAX / 2) return mn_cannot_export(ctx, &m->base, "it has 2^30 or more nodes");
  s->first = MN_NEW(ctx, int32_t, trees, 1);
  s->child = MN_NEW(ctx, int32_t, s->nodes, 3 + s->n_observed);
  s->threshold = MN_NEW(ctx, double, s->nodes, 1);
  if (!s->first || !s->child || !s->threshold) return MN_NO_MEMORY;
  s->feature = s->child + 2 * s->nodes;
  s->observed = s->feature + s->nodes;
  size_t first = 0;
  for (size_t i = 0; i < trees; i++) {
    s->first[i] = (int32_t)first;
    copy_tree(m, store[i], first, s);
    first += (size_t)m->used.at[store[i]];
  }
  return MN_OK;
}

void mn_adaptive_write_splits(mn_program *program, const mn_adaptive_splits *s)
{
  mn_program_count(program, "trees", s->trees);
  mn_program_count(program, "watched", s->n_observed);
  mn_program_indexes(program, "first", s->trees, s->first);
  mn_program_indexes(program, "child", 2 * s->nodes, s->child);
  mn_program_indexes(program, "feature", s->nodes, s->feature);
  mn_program_reals(program, "cut", s->nodes, s->threshold);
  mn_program_indexes(program, "observed", s->nodes * s->n_observed, s->observed);
}

mn_status mn_adaptive_structure(mn_context *ctx, const mn_adaptive_forest *m, const char *score,
                                double (*score_of)(const double *errors), mn_results *results)
{
  const size_t trees = m->foreground.size;
  mn_vector *leaves, *scores, *drifts;
  MN_TRY(mn_result_vector(ctx, results, "leaves", trees, &leaves));
  MN_TRY(mn_result_vector(ctx, results, score, trees, &scores));
  MN_TRY(mn_result_vector(ctx, results, "drifts", trees, &drifts));
  for (size_t i = 0; i < trees; i++) {
    const int32_t nodes = m->used.at[mn_foreground_store(m, i)], n_leaves = (nodes + 1) / 2;
    leaves->at[i] = n_leaves;
    scores->at[i] = score_of(mn_row(&m->errors, i));
    drifts->at[i] = m->drifts.at[i];
  }
  return MN_OK;
}
