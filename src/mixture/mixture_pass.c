/* One pass over the rows of a MixtureModel: densities, responsibilities and the statistics of the M step. A missing
 * value, or a level unknown to fit, of a family of one column contributes nothing: it is integrated out. */
#include "../core/threads.h"
#include "../linear/terms.h"
#include "mixture_model.h"
#include <string.h>

enum { BLOCK_ROWS = 512, MAX_BLOCKS = 64 };

struct work {
  const mn_mixture_pass *pass;
  mn_blocks blocks;
  double *part;  /* blocks x sums     */
  double *value; /* workers x (k + p) */
};

size_t mn_mixture_sums_size(const mn_mixture_layout *l)
{
  return l->k * (1 + l->blocks + l->stats) + 2;
}

/* The values of a block in a row. False: there are none. */
static bool read_block(const mn_mixture_block *b, const double *x, double *value)
{
  for (size_t j = 0; j < b->d; j++) {
    value[j] = x[b->column[j]];
    if (isnan(value[j]) || (b->levels > 0 && !(value[j] >= 0 && value[j] < (double)b->levels))) return false;
  }
  return true;
}

/* log r of a row, in `score`. Returns the log density. */
static double expect_row(const mn_mixture_pass *pass, const double *x, double *score, double *value)
{
  const mn_mixture_layout *l = pass->layout;
  double largest = -INFINITY, sum = 0;
  for (size_t c = 0; c < l->k; c++) score[c] = pass->log_weight[c];
  for (size_t i = 0; i < l->blocks; i++) {
    const mn_mixture_block *b = l->block + i;
    if (!read_block(b, x, value)) continue;
    for (size_t c = 0; c < l->k; c++) score[c] += b->family->log_density(b, pass->t + c * l->size + b->first, value);
  }
  for (size_t c = 0; c < l->k; c++) {
    score[c] = fmax(score[c], -1e300);
    largest = fmax(largest, score[c]);
  }
  for (size_t c = 0; c < l->k; c++) sum += exp(score[c] - largest);
  const double log_density = largest + log(sum);
  for (size_t c = 0; c < l->k; c++) score[c] -= log_density;
  return log_density;
}

static void add_row(const mn_mixture_pass *pass, const double *x, double weight, const double *score, double *value,
                    double *sums)
{
  const mn_mixture_layout *l = pass->layout;
  const size_t width = 1 + l->blocks + l->stats;
  for (size_t c = 0; c < l->k; c++) sums[c * width] += weight * exp(score[c]);
  for (size_t i = 0; i < l->blocks; i++) {
    const mn_mixture_block *b = l->block + i;
    if (!read_block(b, x, value)) continue;
    for (size_t c = 0; c < l->k; c++) {
      const double w = weight * exp(score[c]);
      double *s = sums + c * width;
      if (!(w > 0)) continue;
      s[1 + i] += w;
      b->family->add(b, pass->t + c * l->size + b->first, value, w, s + 1 + l->blocks + b->first_stat);
    }
  }
}

static void run_block(void *work, size_t block, size_t worker)
{
  const struct work *w = work;
  const mn_mixture_pass *pass = w->pass;
  const mn_mixture_layout *l = pass->layout;
  const size_t size = mn_mixture_sums_size(l);
  double *score = w->value + worker * (l->k + l->p), *value = score + l->k;
  double *sums = w->part ? w->part + block * size : NULL;
  for (size_t i = mn_block_begin(&w->blocks, block); i < mn_block_end(&w->blocks, block); i++) {
    const double *x = mn_row(&pass->data->x, i), weight = mn_weight(pass->data, i);
    double log_density = 0, hard = -INFINITY;
    if (pass->label)
      for (size_t c = 0; c < l->k; c++) score[c] = (size_t)pass->label[i] == c ? 0 : -INFINITY;
    else
      log_density = expect_row(pass, x, score, value);
    for (size_t c = 0; c < l->k; c++) hard = fmax(hard, score[c]);
    if (pass->log_density) pass->log_density[i] = log_density;
    if (pass->log_responsibility) memcpy(pass->log_responsibility + i * l->k, score, l->k * sizeof *score);
    if (!sums) continue;
    sums[size - 2] += weight * log_density;
    sums[size - 1] += weight * hard;
    add_row(pass, x, weight, score, value, sums);
  }
}

mn_status mn_mixture_run_pass(mn_context *ctx, const mn_mixture_pass *pass)
{
  const mn_mark mark = mn_scratch_mark(ctx);
  const mn_mixture_layout *l = pass->layout;
  struct work w = { .pass = pass, .blocks = mn_make_blocks(pass->data->rows, BLOCK_ROWS, MAX_BLOCKS) };
  const size_t size = mn_mixture_sums_size(l);
  w.value = MN_RAW(ctx, double, mn_threads(ctx), l->k + l->p);
  MN_CHECK_ALLOC(w.value);
  if (pass->sums) MN_CHECK_ALLOC(w.part = MN_NEW(ctx, double, w.blocks.count, size));
  MN_TRY(mn_parallel(ctx, w.blocks.count, run_block, &w));
  if (pass->sums) mn_sum_blocks(w.blocks.count, size, w.part, pass->sums);
  mn_scratch_release(ctx, mark);
  return MN_OK;
}

mn_status mn_mixture_make_blocks(mn_context *ctx, const mn_indexes *families, const mn_vector *levels, double floor,
                                 mn_mixture_layout *l)
{
  const size_t p = families->size;
  l->block = MN_NEW(ctx, mn_mixture_block, p, 1);
  size_t *column = MN_RAW(ctx, size_t, p, 1), used = 0;
  if (!l->block || !column) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) {
    if (families->at[j] < 0) continue;
    const mn_mixture_family *family = mn_mixture_families[families->at[j]];
    bool begun = false;
    for (size_t h = 0; family->joint && h < j; h++) begun = begun || families->at[h] == families->at[j];
    if (begun) continue;
    mn_mixture_block *b = l->block + l->blocks++;
    *b = (mn_mixture_block){ .family = family, .column = column + used, .floor = floor };
    b->levels = (size_t)levels->at[j];
    for (size_t h = j; h < (family->joint ? p : j + 1); h++)
      if (families->at[h] == families->at[j]) column[used++] = h, b->d++;
    family->layout(b);
    b->first = l->size;
    b->first_stat = l->stats;
    l->shown += b->shown;
    l->size += b->size;
    l->stats += b->stats;
  }
  return MN_OK;
}

mn_status mn_mixture_make_layout(mn_context *ctx, const mn_family_mixture *m, mn_mixture_layout *l)
{
  const size_t p = m->column_family.size;
  *l = (mn_mixture_layout){ .k = (size_t)m->n_components, .p = p };
  MN_TRY(mn_mixture_make_blocks(ctx, &m->column_family, &m->column_levels, m->reg_covar, l));
  const char **names = NULL;
  MN_TRY(mn_term_names(ctx, &m->base, NULL, p, false, &names));
  l->columns = names;
  return MN_OK;
}
