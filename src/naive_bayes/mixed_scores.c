#include "mixed_scores.h"
#include "../core/threads.h"
#include "../linalg/row_softmax.h"
#include <string.h>

enum { BLOCK_VALUES = 1 << 13 };

static const double TWO_PI = 6.28318530717958647693;
static const double UNDERFLOW = 1e-250; /* smaller sums are computed again, relative to the nearest point */

static mn_status allocate(mn_context *ctx, mn_mixed_scores *s)
{
  const size_t p = s->features, k = s->classes;
  s->center = MN_NEW(ctx, double, p, k);
  s->scale = MN_NEW(ctx, double, p, k);
  s->level = MN_NEW(ctx, double, p, k);
  s->width = MN_NEW(ctx, double, p, k);
  s->first = MN_NEW(ctx, int32_t, p * k + 1, 1);
  return s->center && s->scale && s->level && s->width && s->first ? MN_OK : MN_NO_MEMORY;
}

static void set_number(const mn_mixed_rule *rule, const mn_number_moments *all, size_t j, size_t c, mn_mixed_scores *s)
{
  const size_t at = j * s->classes + c;
  const bool seen = mn_row(&rule->moments->seen, c)[j] > 0;
  const double mean = seen ? mn_row(&rule->moments->mean, c)[j] : all->mean;
  const double var = seen ? mn_row(&rule->moments->var, c)[j] + rule->var_smoothing * all->var : all->var;
  if (!(all->var > 0)) return; /* a constant column */
  const double positive = fmax(var, DBL_MIN);
  s->center[at] = mean;
  s->scale[at] = 1 / sqrt(positive);
  s->level[at] = -log(TWO_PI * positive) / 2;
}

static void set_count(const mn_mixed_rule *rule, const mn_number_moments *all, size_t j, size_t c, mn_mixed_scores *s)
{
  const size_t at = j * s->classes + c;
  const double seen = mn_row(&rule->moments->seen, c)[j], sum = seen * mn_row(&rule->moments->mean, c)[j];
  const double rate = seen > 0 ? (sum + rule->pseudo_rows * all->mean) / (seen + rule->pseudo_rows) : all->mean;
  if (!(all->mean > 0)) return; /* only zeros */
  s->center[at] = rate;
  s->level[at] = log(rate);
}

/* Kernel density of the points of column j in class c; width 0, and with it the normal density, if there are none. A
 * class with equal values has the bandwidth that the column has over all classes. */
static mn_status set_kernel(mn_context *ctx, const mn_mixed_rule *rule, const mn_number_moments *all, size_t j,
                            size_t c, mn_mixed_scores *s)
{
  const size_t at = j * s->classes + c, begin = (size_t)s->first[at], n = (size_t)s->first[at + 1] - begin;
  double total = 0, width;
  if (n == 0 || !(all->var > 0)) return MN_OK;
  MN_TRY(mn_rule_of_thumb(ctx, n, s->at + begin, s->weight + begin, &width));
  for (size_t i = begin; i < begin + n; i++) total += s->weight[i];
  if (!(width > 0)) width = 0.9 * sqrt(all->var) * pow(fmax(all->seen, 1), -0.2);
  s->width[at] = width * rule->adjust;
  s->level[at] = -log(total * s->width[at] * sqrt(TWO_PI));
  return MN_OK;
}

mn_status mn_make_mixed_scores(mn_context *ctx, const mn_mixed_rule *rule, mn_mixed_scores *s)
{
  const size_t k = rule->moments->seen.rows, p = rule->moments->seen.cols;
  const mn_matrix *count = &rule->points->count;
  *s = (mn_mixed_scores){ .features = p, .classes = k, .type = rule->type };
  s->at = rule->points->at.at;
  s->weight = rule->points->weight.at;
  MN_TRY(allocate(ctx, s));
  if (rule->points->at.size > INT32_MAX)
    return mn_fail(ctx, MN_BAD_DATA, "MixedNB: kernel densities must have at most %d values, got %zu", INT32_MAX,
                   rule->points->at.size);
  for (size_t i = 0; i < p * k; i++) s->first[i + 1] = s->first[i] + (count->at ? (int32_t)count->at[i] : 0);
  for (size_t j = 0; j < p; j++) {
    const mn_number_moments all = mn_pool_moments(rule->moments, j, rule->class_count->at);
    for (size_t c = 0; c < k; c++) {
      if (rule->type[j] == MN_MIXED_NUMBER) set_number(rule, &all, j, c, s);
      if (rule->type[j] == MN_MIXED_NUMBER) MN_TRY(set_kernel(ctx, rule, &all, j, c, s));
      if (rule->type[j] == MN_MIXED_COUNT) set_count(rule, &all, j, c, s);
    }
  }
  return MN_OK;
}

static double kernel_density(const mn_mixed_scores *s, size_t at, double x)
{
  const double width = s->width[at];
  double sum = 0, nearest = INFINITY;
  for (size_t i = (size_t)s->first[at]; i < (size_t)s->first[at + 1]; i++) {
    const double z = (x - s->at[i]) / width;
    sum += s->weight[i] * exp(-(z * z) / 2);
    nearest = fmin(nearest, z * z);
  }
  if (sum > UNDERFLOW) return log(sum) + s->level[at];
  sum = 0;
  for (size_t i = (size_t)s->first[at]; i < (size_t)s->first[at + 1]; i++) {
    const double z = (x - s->at[i]) / width;
    sum += s->weight[i] * exp((nearest - z * z) / 2);
  }
  /* cppcheck-suppress invalidFunctionArg ; the largest term is 1 */
  return log(sum) - nearest / 2 + s->level[at];
}

/* The log density of a number or a count. */
static double log_density(const mn_mixed_scores *s, size_t at, int32_t type, double x)
{
  if (type == MN_MIXED_COUNT) return x > 0 ? x * s->level[at] - s->center[at] : -s->center[at];
  if (s->width[at] > 0) return kernel_density(s, at, x);
  const double z = (x - s->center[at]) * s->scale[at];
  return s->level[at] - z * z / 2;
}

struct scoring {
  mn_context *ctx;
  const mn_mixed_scores *scores;
  const mn_data *data;
  mn_matrix *out;
  mn_blocks blocks;
};

static void score_row(const mn_mixed_scores *s, const double *x, double *out)
{
  const size_t k = s->classes;
  memcpy(out, s->start, k * sizeof *out);
  for (size_t j = 0; j < s->features; j++) {
    if (s->type[j] >= MN_MIXED_FLAG)
      mn_score_category(&s->categories, j, x[j], k, out);
    else
      for (size_t c = 0; !isnan(x[j]) && c < k; c++) out[c] += log_density(s, j * k + c, s->type[j], x[j]);
  }
}

static void score_block(void *work, size_t block, size_t worker)
{
  const struct scoring *w = work;
  const mn_cancel_token token = { w->ctx, worker };
  const size_t k = w->out->cols, begin = mn_block_begin(&w->blocks, block), end = mn_block_end(&w->blocks, block);
  for (size_t i = begin; i < end && mn_task_should_continue(&token); i++)
    score_row(w->scores, mn_row(&w->data->x, i), mn_row(w->out, i));
  mn_row_log_softmax(end - begin, k, mn_row(w->out, begin));
}

mn_status mn_mixed_log_proba(mn_context *ctx, const mn_mixed_scores *s, const mn_data *data, mn_matrix *out)
{
  struct scoring w = { .ctx = ctx, .scores = s, .data = data, .out = out };
  w.blocks = mn_make_blocks(data->rows, BLOCK_VALUES / (s->features * s->classes) + 1, SIZE_MAX);
  return mn_parallel(ctx, w.blocks.count, score_block, &w);
}

static const char number_program[] =
    "else { if !isnan(x[j]) { for c < outputs {"
    "  int at = j * outputs + c"
    "  if type[j] == 1 { out[c] += x[j] > 0.0 ? x[j] * level[at] - center[at] : -center[at] }"
    "  else { if width[at] > 0.0 {"
    "    real sum = 0.0"
    "    real nearest = infinite"
    "    for i = first[at] < first[at + 1] {"
    "      real z = (x[j] - point[i]) / width[at]"
    "      sum += weight[i] * exp(-(z * z) / 2.0)"
    "      if z * z < nearest { nearest = z * z }"
    "    }"
    "    if sum > underflow { out[c] += log(sum) + level[at] }"
    "    else {"
    "      sum = 0.0"
    "      for i = first[at] < first[at + 1] {"
    "        real z = (x[j] - point[i]) / width[at]"
    "        sum += weight[i] * exp((nearest - z * z) / 2.0)"
    "      }"
    "      out[c] += log(sum) - nearest / 2.0 + level[at]"
    "    }"
    "  } else {"
    "    real z = (x[j] - center[at]) * scale[at]"
    "    out[c] += level[at] - z * z / 2.0"
    "  } }"
    "} } }";

mn_status mn_mixed_program(mn_context *ctx, const mn_mixed_scores *s, bool refuses_unknown, mn_program *program)
{
  static const double none[1] = { 0 };
  const size_t size = s->features * s->classes, points = (size_t)s->first[size];
  mn_program_reals(program, "start", s->classes, s->start);
  mn_program_indexes(program, "type", s->features, s->type);
  mn_program_reals(program, "center", size, s->center);
  mn_program_reals(program, "scale", size, s->scale);
  mn_program_reals(program, "level", size, s->level);
  mn_program_reals(program, "width", size, s->width);
  mn_program_indexes(program, "first", size + 1, s->first);
  mn_program_reals(program, "point", points > 0 ? points : 1, points > 0 ? s->at : none);
  mn_program_reals(program, "weight", points > 0 ? points : 1, points > 0 ? s->weight : none);
  mn_program_real(program, "underflow", UNDERFLOW);
  mn_program_real(program, "infinite", 1e300);
  mn_program_code(program, "for c < outputs { out[c] = start[c] }");
  MN_TRY(mn_lookup_program(ctx, s->categories.lookup, s->features, program));
  mn_program_code(program, "if type[j] >= 2 {");
  if (refuses_unknown) mn_program_code(program, "if found < -1.5 { refuse \"X must have categories that fit saw\" }");
  mn_program_code(program, "if found >= 0 { for c < outputs { out[c] += log_prob[index(found) * outputs + c] } } }");
  mn_program_code(program, number_program);
  mn_program_code(program, "} log_softmax(outputs, out)");
  return MN_OK;
}
