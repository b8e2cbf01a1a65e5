#include "inference.h"
#include <math.h>
#include <string.h>

static const char who[] = "BayesNet";
static const mn_exact_advice advice = { "memory_limit",
                                        "\"likelihood_weighting\" or \"gibbs\" in query and marginals" };

/* --- the factor graph --- */

struct layout {
  size_t scopes, tables, factors, group; /* sizes */
};

static bool is_relevant(const mn_inference_options *o, size_t v)
{
  return !o->relevant || o->relevant[v];
}

/* Whether the table of v is a factor. */
static bool has_factor(const mn_network *net, const mn_inference_options *o, size_t v)
{
  return net->card[v] > 0 && is_relevant(o, v);
}

static struct layout measure(const mn_network *net, const mn_inference_options *o, const mn_number_groups *groups)
{
  struct layout l = { .factors = net->nodes + groups->count + (o->joints > 0) };
  size_t joint = 1;
  for (size_t v = 0; v < net->nodes; v++) {
    if (has_factor(net, o, v)) {
      l.scopes += mn_parent_count(net, v) + 1;
      l.tables += net->at[v + 1] - net->at[v];
    } else {
      l.tables++;
    }
    if (!o->likelihood || !o->likelihood[v]) continue;
    l.factors++;
    l.scopes++;
    l.tables += (size_t)net->card[v];
  }
  for (size_t g = 0; g < groups->count; g++) {
    l.scopes += groups->at[g].parents;
    l.tables += groups->at[g].configs;
    if (groups->at[g].configs > l.group) l.group = groups->at[g].configs;
  }
  for (size_t j = 0; j < o->joints; j++) joint *= (size_t)net->card[o->joint_nodes[j]];
  l.scopes += o->joints;
  l.tables += joint;
  return l;
}

static double log_value(double p)
{
  return p > 0 ? log(p) : MN_LOG_ZERO;
}

/* Append a factor of n variables, whose scope has been written, and `size` logarithms. */
struct writer {
  size_t factor, scope, table;
  size_t *scope_start, *scope_of, *table_start;
  double *at;
};

static double *append(struct writer *w, size_t scope, size_t size)
{
  double *table = w->at + w->table;
  w->scope += scope;
  w->table_start[w->factor++] = w->table;
  w->scope_start[w->factor] = w->scope;
  w->table += size;
  memset(table, 0, size * sizeof *table);
  return table;
}

static void write_nodes(const mn_network *net, const mn_inference_options *o, struct writer *w)
{
  for (size_t v = 0; v < net->nodes; v++) {
    if (!has_factor(net, o, v)) {
      append(w, 0, 1);
      continue;
    }
    const size_t k = mn_parent_count(net, v), size = net->at[v + 1] - net->at[v];
    for (size_t j = 0; j < k; j++) w->scope_of[w->scope + j] = (size_t)mn_parents(net, v)[j];
    w->scope_of[w->scope + k] = v;
    double *to = append(w, k + 1, size);
    for (size_t i = 0; v != o->relaxed && i < size; i++) to[i] = log_value(net->table[net->at[v] + i]);
  }
}

static void write_others(const mn_network *net, const mn_inference_options *o, mn_net_inference *inf, struct writer *w)
{
  inf->first_group = w->factor;
  for (size_t g = 0; g < inf->groups.count; g++) {
    const mn_number_group *group = &inf->groups.at[g];
    memcpy(w->scope_of + w->scope, group->discrete, group->parents * sizeof *group->discrete);
    append(w, group->parents, group->configs);
  }
  for (size_t v = 0; o->likelihood && v < net->nodes; v++) {
    if (!o->likelihood[v]) continue;
    w->scope_of[w->scope] = v;
    double *to = append(w, 1, (size_t)net->card[v]);
    for (size_t i = 0; i < (size_t)net->card[v]; i++) to[i] = log_value(o->likelihood[v][i]);
  }
  inf->joint = w->factor;
  if (o->joints == 0) return;
  size_t size = 1;
  for (size_t j = 0; j < o->joints; j++) {
    w->scope_of[w->scope + j] = (size_t)o->joint_nodes[j];
    size *= (size_t)net->card[o->joint_nodes[j]];
  }
  append(w, o->joints, size);
}

static mn_status make_graph(mn_context *ctx, const mn_network *net, const mn_inference_options *o,
                            mn_net_inference *inf)
{
  const struct layout l = measure(net, o, &inf->groups);
  size_t *card = MN_RAW(ctx, size_t, net->nodes + 1, 1);
  struct writer w = { .scope_start = MN_NEW(ctx, size_t, l.factors + 2, 1) };
  w.scope_of = MN_RAW(ctx, size_t, l.scopes + 1, 1);
  w.table_start = MN_NEW(ctx, size_t, l.factors + 1, 1);
  w.at = MN_RAW(ctx, double, l.tables + 1, 1);
  inf->group = MN_RAW(ctx, double, l.group + 1, 1);
  if (!card || !w.scope_start || !w.scope_of || !w.table_start || !w.at || !inf->group) return MN_NO_MEMORY;
  /* numbers, and nodes without a factor, have one state: sums over the others do not count them */
  for (size_t v = 0; v < net->nodes; v++) card[v] = has_factor(net, o, v) ? (size_t)net->card[v] : 1;
  write_nodes(net, o, &w);
  write_others(net, o, inf, &w);
  inf->table = w.at;
  inf->graph = (mn_factor_graph){ .variables = net->nodes, .factors = w.factor, .card = card };
  inf->graph.scope_start = w.scope_start;
  inf->graph.scope = w.scope_of;
  inf->graph.table_start = w.table_start;
  inf->graph.table = w.at;
  return MN_OK;
}

static void set_state(const mn_net_inference *inf, const double *evidence)
{
  for (size_t v = 0; v < inf->net->nodes; v++) {
    const bool known = evidence && inf->net->card[v] > 0 && !isnan(evidence[v]);
    inf->state[v] = known ? (int32_t)evidence[v] : MN_FREE;
  }
}

mn_status mn_inference_init(mn_context *ctx, const mn_network *net, const mn_inference_options *o,
                            mn_net_inference *out)
{
  bool *wanted = MN_NEW(ctx, bool, net->nodes + 1, 1);
  *out = (mn_net_inference){ .net = net, .likelihood = o->likelihood };
  out->state = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  out->row = MN_RAW(ctx, double, net->nodes + 1, 1);
  if (!wanted || !out->state || !out->row) return MN_NO_MEMORY;
  for (size_t v = 0; v < net->nodes; v++) wanted[v] = net->card[v] == 0 && is_relevant(o, v);
  MN_TRY(mn_find_number_groups(ctx, net, wanted, &out->groups));
  MN_TRY(mn_normal_new(ctx, net, out->groups.largest, &out->normal));
  MN_TRY(make_graph(ctx, net, o, out));
  set_state(out, o->evidence);
  return mn_junction_tree_plan(ctx, who, &advice, &out->graph, o->fixed_evidence ? out->state : NULL,
                               MN_ELIMINATION_AUTO, o->limit, &out->tree);
}

/* --- groups of numbers --- */

/* Put configuration c of a group into the row; false if it differs from the evidence. */
static bool set_configuration(mn_net_inference *inf, const mn_number_group *g, size_t c)
{
  for (size_t i = g->parents; i-- > 0;) {
    const size_t v = g->discrete[i], card = (size_t)inf->net->card[v], value = c % card;
    c /= card;
    if (inf->state[v] != MN_FREE && (size_t)inf->state[v] != value) return false;
    inf->row[v] = (double)value;
  }
  return true;
}

/* The tables of the groups: log densities of the observed numbers, at `peak` of all. */
static mn_status fill_groups(mn_context *ctx, mn_net_inference *inf, const double *evidence, bool peak)
{
  for (size_t i = 0; i < inf->groups.count; i++) {
    const mn_number_group *g = &inf->groups.at[i];
    double *table = inf->table + inf->graph.table_start[inf->first_group + i];
    for (size_t c = 0; c < g->configs; c++) {
      if (c % 256 == 255) MN_TRY(mn_poll(ctx));
      table[c] = MN_LOG_ZERO;
      if (!set_configuration(inf, g, c)) continue;
      mn_normal_of_group(inf->net, g, inf->row, &inf->normal);
      double log_p = mn_normal_condition(g, evidence, &inf->normal);
      if (peak) log_p += mn_normal_peak(g, evidence, &inf->normal);
      if (log_p > MN_LOG_ZERO) table[c] = log_p;
    }
  }
  return MN_OK;
}

static mn_status begin_run(mn_context *ctx, mn_net_inference *inf, const double *evidence)
{
  set_state(inf, evidence);
  memcpy(inf->row, evidence, inf->net->nodes * sizeof *evidence);
  return fill_groups(ctx, inf, evidence, false);
}

mn_status mn_inference_try(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *log_p)
{
  MN_TRY(begin_run(ctx, inf, evidence));
  MN_TRY(mn_junction_tree_try_collect(ctx, &inf->tree, inf->state, log_p));
  if (mn_is_log_zero(*log_p)) *log_p = -INFINITY;
  return MN_OK;
}

mn_status mn_inference_finish(mn_context *ctx, mn_net_inference *inf)
{
  return mn_junction_tree_distribute(ctx, &inf->tree);
}

mn_status mn_inference_run(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *log_p)
{
  MN_TRY(begin_run(ctx, inf, evidence));
  MN_TRY(mn_junction_tree_collect(ctx, &inf->tree, inf->state, log_p));
  return mn_junction_tree_distribute(ctx, &inf->tree);
}

mn_status mn_inference_mpe(mn_context *ctx, mn_net_inference *inf, const double *evidence, double *values,
                           double *log_p)
{
  const mn_network *net = inf->net;
  int32_t *state = MN_RAW(ctx, int32_t, net->nodes + 1, 1);
  MN_CHECK_ALLOC(state);
  set_state(inf, evidence);
  memcpy(inf->row, evidence, net->nodes * sizeof *evidence);
  MN_TRY(fill_groups(ctx, inf, evidence, true));
  MN_TRY(mn_junction_tree_map(ctx, &inf->tree, inf->state, state, log_p));
  for (size_t v = 0; v < net->nodes; v++) values[v] = net->card[v] > 0 ? state[v] : evidence[v];
  for (size_t i = 0; i < inf->groups.count; i++) {
    const mn_number_group *g = &inf->groups.at[i];
    mn_normal_of_group(net, g, values, &inf->normal);
    mn_normal_condition(g, evidence, &inf->normal);
    for (size_t j = 0; j < g->size; j++) values[g->node[j]] = inf->normal.mean[j];
  }
  return MN_OK;
}

/* --- results --- */

mn_status mn_inference_marginal(mn_context *ctx, mn_net_inference *inf, size_t v, double *out)
{
  return mn_junction_tree_marginal(ctx, &inf->tree, v, out);
}

mn_status mn_inference_family(mn_context *ctx, mn_net_inference *inf, size_t v, double *out)
{
  return mn_junction_tree_factor_marginal(ctx, &inf->tree, v, out);
}

mn_status mn_inference_joint(mn_context *ctx, mn_net_inference *inf, double *out)
{
  return mn_junction_tree_factor_marginal(ctx, &inf->tree, inf->joint, out);
}

mn_status mn_inference_normals(mn_context *ctx, mn_net_inference *inf, size_t group, mn_use_normal use, void *user)
{
  const mn_number_group *g = &inf->groups.at[group];
  MN_TRY(mn_junction_tree_factor_marginal(ctx, &inf->tree, inf->first_group + group, inf->group));
  for (size_t c = 0; c < g->configs; c++) {
    if (!(inf->group[c] > 0) || !set_configuration(inf, g, c)) continue;
    mn_normal_of_group(inf->net, g, inf->row, &inf->normal);
    mn_normal_condition(g, inf->row, &inf->normal);
    MN_TRY(use(ctx, user, g, inf->group[c], &inf->normal));
  }
  return MN_OK;
}

struct moments {
  double *mean, *square;
};

static mn_status add_moments(mn_context *ctx, void *user, const mn_number_group *g, double p, const mn_normal *normal)
{
  (void)ctx;
  struct moments *m = user;
  for (size_t j = 0; j < g->size; j++) {
    const double mean = normal->mean[j];
    m->mean[g->node[j]] += p * mean;
    m->square[g->node[j]] += p * (mean * mean + normal->cov[j * g->size + j]);
  }
  return MN_OK;
}

/* The spread of the means about the mean of all. */
static mn_status add_spread(mn_context *ctx, void *user, const mn_number_group *g, double p, const mn_normal *normal)
{
  (void)ctx;
  struct moments *m = user;
  for (size_t j = 0; j < g->size; j++) {
    const double r = normal->mean[j] - m->mean[g->node[j]];
    m->square[g->node[j]] += p * (r * r + normal->cov[j * g->size + j]);
  }
  return MN_OK;
}

mn_status mn_inference_moments(mn_context *ctx, mn_net_inference *inf, double *mean, double *sd)
{
  struct moments m = { mean, sd };
  for (size_t i = 0; i < inf->groups.count; i++) {
    const mn_number_group *g = &inf->groups.at[i];
    for (size_t j = 0; j < g->size; j++) mean[g->node[j]] = sd[g->node[j]] = 0;
    MN_TRY(mn_inference_normals(ctx, inf, i, add_moments, &m));
    for (size_t j = 0; j < g->size; j++) sd[g->node[j]] = 0;
    MN_TRY(mn_inference_normals(ctx, inf, i, add_spread, &m));
    for (size_t j = 0; j < g->size; j++) sd[g->node[j]] = sqrt(fmax(sd[g->node[j]], 0));
  }
  return MN_OK;
}
