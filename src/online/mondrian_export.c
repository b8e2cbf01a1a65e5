#include "mondrian.h"
#include <string.h>

static mn_status make_tables(mn_context *ctx, const mn_mondrian *m, mn_mondrian_node_map *map)
{
  const size_t trees = mn_mondrian_trees(m);
  size_t nodes = 1;
  map->base = MN_RAW(ctx, int32_t, trees, 1);
  MN_CHECK_ALLOC(map->base);
  for (size_t i = 0; i < trees; i++) {
    map->base[i] = (int32_t)nodes;
    nodes += (size_t)m->used.at[i];
    if (nodes > (size_t)INT32_MAX / 2) return mn_cannot_export(ctx, &m->base, "it has 2^30 or more nodes");
  }
  map->nodes = nodes;
  map->parent = MN_NEW(ctx, int32_t, nodes, 1);
  map->time = MN_NEW(ctx, double, nodes, 1);
  return map->parent && map->time ? MN_OK : MN_NO_MEMORY;
}

mn_status mn_mondrian_program(mn_context *ctx, const mn_mondrian *m, mn_program *program, mn_mondrian_node_map *map)
{
  MN_TRY(make_tables(ctx, m, map));
  const size_t trees = mn_mondrian_trees(m), p = m->base.n_features;
  int32_t *first = MN_RAW(ctx, int32_t, trees, 1), *child = MN_NEW(ctx, int32_t, map->nodes, 2);
  int32_t *feature = MN_NEW(ctx, int32_t, map->nodes, 1);
  double *threshold = MN_NEW(ctx, double, map->nodes, 1), *box = MN_NEW(ctx, double, 2 * map->nodes, p);
  if (!first || !child || !feature || !threshold || !box) return MN_NO_MEMORY;
  double *lower = box, *upper = box + map->nodes * p;
  for (size_t i = 0; i < trees; i++) {
    const mn_mondrian_tree t = mn_mondrian_tree_view(m, i);
    const size_t base = (size_t)map->base[i], used = (size_t)*t.used;
    first[i] = map->base[i] + *t.root;
    memcpy(feature + base, t.feature, used * sizeof *feature);
    memcpy(threshold + base, t.threshold, used * sizeof *threshold);
    memcpy(map->time + base, t.time, used * sizeof *threshold);
    for (size_t k = 0; k < used; k++) {
      mn_mondrian_box(&t, (int32_t)k, lower + (base + k) * p, upper + (base + k) * p);
      map->parent[base + k] = t.parent[k] < 0 ? 0 : map->base[i] + t.parent[k];
      for (size_t s = 0; s < 2 && t.child[2 * k] >= 0; s++)
        child[2 * (base + k) + s] = map->base[i] + t.child[2 * k + s];
    }
  }
  mn_program_count(program, "trees", trees);
  mn_program_indexes(program, "first", trees, first);
  mn_program_indexes(program, "child", 2 * map->nodes, child);
  mn_program_indexes(program, "feature", map->nodes, feature);
  mn_program_reals(program, "cut", map->nodes, threshold);
  mn_program_reals(program, "time", map->nodes, map->time);
  mn_program_reals(program, "lower", map->nodes * p, lower);
  mn_program_reals(program, "upper", map->nodes * p, upper);
  return MN_OK;
}

void mn_mondrian_write_loop_begin(mn_program *program)
{
  mn_program_code(program, " for tree < trees {"
                           " real stays = 1.0 int from = 0 int at = first[tree]"
                           " while at > 0 {"
                           "   real outside = 0.0"
                           "   for j < features {"
                           "     int b = at * features + j"
                           "     if x[j] < lower[b] { outside += lower[b] - x[j] }"
                           "     if x[j] > upper[b] { outside += x[j] - upper[b] }"
                           "   }"
                           "   real parts = 0.0 real span = time[at] - time[from]"
                           "   if outside > 0 { parts = 1.0 - exp(-(outside * span)) }");
}

void mn_mondrian_write_loop_end(mn_program *program)
{
  mn_program_code(program, "   from = at"
                           "   if x[feature[at]] <= cut[at] { at = child[2 * at] } else { at = child[2 * at + 1] }"
                           " }");
}
