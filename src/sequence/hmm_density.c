/* Log densities of rows under the states, and the statistics of the emissions. A missing value contributes nothing: it
 * is integrated out. */
#include "hmm_emission.h"
#include <string.h>

enum { CHUNK = 256 }; /* rows of mixtures whose components are in the workspace at a time */

/* --- rows --- */

/* The gaussian columns, and those of the incomplete rows. */
static mn_status gather_gaussians(mn_context *ctx, const mn_hmm_layout *l, const mn_data *data, mn_hmm_data *out)
{
  const size_t n = data->rows, g = l->g;
  size_t incomplete = 0;
  for (size_t i = 0; i < n; i++) {
    bool missing = false;
    for (size_t j = 0; j < g; j++) missing = missing || isnan(mn_row(&data->x, i)[l->g_column[j]]);
    incomplete += missing;
  }
  out->x = data->x.at;
  if (incomplete == 0 && g == data->features) return MN_OK;
  double *x = MN_RAW(ctx, double, n, g), *rest = MN_RAW(ctx, double, incomplete, g);
  if (!x || !rest) return MN_NO_MEMORY;
  if (incomplete > 0) MN_CHECK_ALLOC(out->incomplete_of = MN_RAW(ctx, int32_t, n, 1));
  size_t next = 0;
  for (size_t i = 0; i < n; i++) {
    bool missing = false;
    for (size_t j = 0; j < g; j++) {
      x[i * g + j] = mn_row(&data->x, i)[l->g_column[j]];
      missing = missing || isnan(x[i * g + j]);
    }
    if (incomplete > 0) out->incomplete_of[i] = missing ? (int32_t)next : -1;
    if (!missing) continue;
    memcpy(rest + next++ * g, x + i * g, g * sizeof *x);
    memset(x + i * g, 0, g * sizeof *x);
  }
  out->x = x;
  out->incomplete = (mn_data){ .rows = incomplete, .features = g, .x = { .at = rest, .rows = incomplete, .cols = g } };
  return incomplete > 0 ? mn_split_missing(ctx, &out->incomplete, &out->split) : MN_OK;
}

static mn_status gather_codes(mn_context *ctx, const mn_mixture_block *b, const mn_data *data, int32_t **out)
{
  const int32_t levels = (int32_t)b->levels;
  int32_t *code = MN_RAW(ctx, int32_t, data->rows, 1);
  MN_CHECK_ALLOC(code);
  for (size_t i = 0; i < data->rows; i++) {
    const double value = mn_row(&data->x, i)[b->column[0]];
    const bool known = value >= 0 && value < levels && !(floor(value) < value);
    code[i] = isnan(value) ? levels : known ? (int32_t)value : levels + 1;
  }
  *out = code;
  return MN_OK;
}

mn_status mn_hmm_data_make(mn_context *ctx, const mn_hmm_layout *l, const mn_data *data, const int32_t *label,
                           mn_hmm_data *out)
{
  *out = (mn_hmm_data){ .data = data, .label = label };
  if (l->g > 0) MN_TRY(gather_gaussians(ctx, l, data, out));
  out->code = MN_NEW(ctx, int32_t *, l->other.blocks + 1, 1);
  MN_CHECK_ALLOC(out->code);
  for (size_t b = 0; b < l->other.blocks; b++)
    if (l->other.block[b].levels > 0) MN_TRY(gather_codes(ctx, l->other.block + b, data, &out->code[b]));
  return MN_OK;
}

/* --- tables of a pass --- */

static mn_status gaussians_in_lanes(mn_context *ctx, mn_hmm_densities *d)
{
  const mn_hmm_layout *l = d->l;
  const mn_gaussians *g = &d->gaussians;
  const size_t p = l->g, c = d->c;
  d->mean = MN_NEW(ctx, double, p, c);
  d->root = MN_NEW(ctx, double, l->diagonal ? p : p *(p + 1) / 2, c);
  d->start = MN_NEW(ctx, double, c, 1);
  if (!d->mean || !d->root || !d->start) return MN_NO_MEMORY;
  for (size_t i = 0; i < c; i++) d->start[i] = MN_HMM_LOG_ZERO;
  for (size_t s = 0; s < l->k; s++)
    for (size_t m = 0; m < l->mix; m++) {
      const size_t from = s * l->mix + m, to = m * l->w + s;
      d->start[to] = g->start[from];
      for (size_t j = 0; j < p; j++) d->mean[j * c + to] = g->mean[from * p + j];
      for (size_t j = 0; l->diagonal && j < p; j++) d->root[j * c + to] = g->root[from * p + j];
      for (size_t i = 0; !l->diagonal && i < p; i++)
        for (size_t j = i; j < p; j++)
          d->root[(i * (2 * p - i - 1) / 2 + j) * c + to] = g->root[from * p * p + i * p + j];
    }
  return MN_OK;
}

/* Log densities, with log weights, of the incomplete rows. */
static mn_status incomplete_densities(mn_context *ctx, mn_hmm_densities *d)
{
  const mn_hmm_data *rows = d->data;
  const size_t n = rows->incomplete.rows, c = d->gaussians.k;
  d->incomplete = MN_RAW(ctx, double, n, c);
  double *log_density = MN_RAW(ctx, double, n, 1);
  if (!d->incomplete || !log_density) return MN_NO_MEMORY;
  const mn_gaussian_pass pass = {
    .g = &d->gaussians, .columns = c, .log_density = log_density, .log_responsibility = d->incomplete
  };
  MN_TRY(mn_gaussian_missing_pass(ctx, &rows->incomplete, &rows->split, &pass, NULL, NULL));
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < c; j++) d->incomplete[i * c + j] += log_density[i];
  return MN_OK;
}

static mn_status make_table(mn_context *ctx, mn_hmm_densities *d, size_t block)
{
  const mn_hmm_layout *l = d->l;
  const size_t levels = l->other.block[block].levels, w = l->w;
  const bool direct = l->g == 0 && l->other.blocks == 1 && !d->data->label;
  double *table = MN_NEW(ctx, double, levels + 2, w);
  MN_CHECK_ALLOC(table);
  for (size_t i = 0; i < levels + 2; i++)
    for (size_t s = 0; s < w; s++) {
      const double p = s >= l->k || i > levels ? 0 : i == levels ? 1 : mn_hmm_block(l, d->parameters, s, block)[i];
      table[i * w + s] = p > 0 ? log(p) : MN_HMM_LOG_ZERO;
    }
  d->table[block] = table;
  if (!direct) return MN_OK;
  MN_CHECK_ALLOC(d->direct = MN_RAW(ctx, double, levels + 2, w));
  for (size_t i = 0; i < (levels + 2) * w; i++) d->direct[i] = table[i] > MN_HMM_IMPOSSIBLE ? exp(table[i]) : 0;
  return MN_OK;
}

mn_status mn_hmm_densities_make(mn_context *ctx, const mn_hmm_layout *l, const mn_hmm_data *data,
                                const double *parameters, mn_hmm_densities *d)
{
  *d = (mn_hmm_densities){ .l = l, .data = data, .parameters = parameters, .c = l->mix * l->w };
  d->table = MN_NEW(ctx, double *, l->other.blocks + 1, 1);
  MN_CHECK_ALLOC(d->table);
  if (l->g > 0) {
    d->gaussians = mn_hmm_gaussians(l, parameters);
    MN_TRY(gaussians_in_lanes(ctx, d));
    if (data->incomplete_of) MN_TRY(incomplete_densities(ctx, d));
  }
  for (size_t b = 0; b < l->other.blocks; b++)
    if (l->other.block[b].levels > 0) MN_TRY(make_table(ctx, d, b));
  return MN_OK;
}

/* --- densities --- */

size_t mn_hmm_emission_workspace(const mn_hmm_layout *l)
{
  const size_t c = l->mix * l->w;
  return l->g * c + CHUNK * (c + l->w) + l->p + l->w;
}

/* The components of a chunk of rows: n x c. */
static void component_logs(const mn_hmm_densities *d, size_t begin, size_t n, double *work, double *out)
{
  const mn_hmm_layout *l = d->l;
  const int32_t *incomplete = d->data->incomplete_of;
  mn_hmm_gaussian_logs(n, l->g, d->c, l->diagonal, d->data->x + begin * l->g, d->mean, d->root, d->start, work, out);
  for (size_t i = 0; incomplete && i < n; i++) {
    if (incomplete[begin + i] < 0) continue;
    const double *from = d->incomplete + (size_t)incomplete[begin + i] * l->gaussians;
    for (size_t s = 0; s < l->k; s++)
      for (size_t m = 0; m < l->mix; m++) out[i * d->c + m * l->w + s] = from[s * l->mix + m];
  }
}

static void gaussian_densities(const mn_hmm_densities *d, size_t begin, size_t end, double *work, double *out)
{
  const mn_hmm_layout *l = d->l;
  double *component = work + l->g * d->c;
  for (size_t i = begin; i < end; i += CHUNK) {
    const size_t n = end - i < CHUNK ? end - i : CHUNK;
    double *to = out + (i - begin) * l->w;
    component_logs(d, i, n, work, l->mix > 1 ? component : to);
    if (l->mix > 1) mn_hmm_mix(n, l->mix, l->w, component, to);
  }
}

/* False: a value is missing. */
static bool read_block(const mn_mixture_block *b, const double *x, double *value)
{
  bool known = true;
  for (size_t j = 0; j < b->d; j++) {
    value[j] = x[b->column[j]];
    known = known && !isnan(value[j]);
  }
  return known;
}

static void add_block(const mn_hmm_densities *d, size_t block, size_t begin, size_t end, double *value, double *out)
{
  const mn_hmm_layout *l = d->l;
  const mn_mixture_block *b = l->other.block + block;
  for (size_t i = begin; i < end; i++, out += l->w) {
    if (b->levels > 0) {
      const double *from = d->table[block] + (size_t)d->data->code[block][i] * l->w;
      for (size_t s = 0; s < l->k; s++) out[s] += from[s];
      continue;
    }
    if (!read_block(b, mn_row(&d->data->data->x, i), value)) continue;
    size_t refused = 0;
    const bool possible = b->family->refuse(b, value, &refused) == NULL;
    for (size_t s = 0; s < l->k; s++)
      out[s] += possible ? b->family->log_density(b, mn_hmm_block(l, d->parameters, s, block), value) : MN_HMM_LOG_ZERO;
  }
}

void mn_hmm_log_densities(const mn_hmm_densities *d, size_t begin, size_t end, double *work, double *out)
{
  const mn_hmm_layout *l = d->l;
  if (l->g > 0)
    gaussian_densities(d, begin, end, work, out);
  else
    memset(out, 0, (end - begin) * l->w * sizeof *out);
  for (size_t b = 0; b < l->other.blocks; b++)
    add_block(d, b, begin, end, work + mn_hmm_emission_workspace(l) - l->p, out);
  for (size_t i = begin; i < end; i++) {
    double *row = out + (i - begin) * l->w;
    const int32_t label = d->data->label ? d->data->label[i] : -1;
    for (size_t s = 0; s < l->w; s++)
      if (s >= l->k || (label >= 0 && (int32_t)s != label) || !(row[s] > MN_HMM_LOG_ZERO)) row[s] = MN_HMM_LOG_ZERO;
  }
}

/* --- statistics --- */

static void add_gaussians(const mn_hmm_densities *d, size_t begin, size_t end, const double *gamma, double *work,
                          double *sums, double *given)
{
  const mn_hmm_layout *l = d->l;
  const size_t c = d->c;
  const int32_t *incomplete = d->data->incomplete_of;
  double *component = work + l->g * c, *state = component + CHUNK * c;
  for (size_t i = begin; i < end; i += CHUNK) {
    const size_t n = end - i < CHUNK ? end - i : CHUNK;
    const double *weight = gamma + (i - begin) * l->w;
    if (l->mix > 1) {
      component_logs(d, i, n, work, component);
      mn_hmm_mix(n, l->mix, l->w, component, state);
      mn_hmm_unmix(n, l->mix, l->w, weight, state, component);
      weight = component;
    } else if (incomplete) {
      memcpy(component, weight, n * c * sizeof *component);
      weight = component;
    }
    for (size_t r = 0; incomplete && r < n; r++) {
      if (incomplete[i + r] < 0) continue;
      double *row = component + r * c, *to = given + (size_t)incomplete[i + r] * l->gaussians;
      for (size_t s = 0; s < l->k; s++)
        for (size_t m = 0; m < l->mix; m++) to[s * l->mix + m] = row[m * l->w + s];
      memset(row, 0, c * sizeof *row);
    }
    mn_hmm_gaussian_sums(n, l->g, c, l->diagonal, d->data->x + i * l->g, d->mean, weight, work, sums, sums + c,
                         sums + c * (1 + l->g));
  }
}

static void add_other(const mn_hmm_densities *d, size_t begin, size_t end, const double *gamma, double *value,
                      double *all)
{
  const mn_hmm_layout *l = d->l;
  const size_t width = l->other.blocks + l->other.stats;
  double *sums = all + l->stats - l->k * width;
  for (size_t i = 0; i < l->other.blocks; i++) {
    const mn_mixture_block *b = l->other.block + i;
    if (b->levels > 0) {
      mn_hmm_category_sums(end - begin, l->w, d->data->code[i] + begin, gamma, all + l->table[i]);
      continue;
    }
    for (size_t r = begin; r < end; r++) {
      const double *weight = gamma + (r - begin) * l->w;
      if (!read_block(b, mn_row(&d->data->data->x, r), value)) continue;
      for (size_t s = 0; s < l->k; s++) {
        double *to = sums + s * width;
        to[i] += weight[s];
        if (weight[s] > 0)
          b->family->add(b, mn_hmm_block(l, d->parameters, s, i), value, weight[s],
                         to + l->other.blocks + b->first_stat);
      }
    }
  }
}

void mn_hmm_add_emissions(const mn_hmm_densities *d, size_t begin, size_t end, const double *gamma, double *work,
                          double *sums, double *given)
{
  const mn_hmm_layout *l = d->l;
  const size_t others = l->k * (l->other.blocks + l->other.stats);
  if (l->g > 0) add_gaussians(d, begin, end, gamma, work, sums, given);
  if (others > 0) add_other(d, begin, end, gamma, work + mn_hmm_emission_workspace(l) - l->p, sums);
}

/* Statistics of categorical columns from lanes. */
static void finish_categories(const mn_hmm_layout *l, double *sums)
{
  const size_t width = l->other.blocks + l->other.stats;
  for (size_t i = 0; i < l->other.blocks; i++) {
    const mn_mixture_block *b = l->other.block + i;
    for (size_t code = 0; code < b->levels; code++)
      for (size_t s = 0; s < l->k; s++)
        sums[l->stats - l->k * width + s * width + l->other.blocks + b->first_stat + code] =
            sums[l->table[i] + code * l->w + s];
  }
}

mn_status mn_hmm_finish_sums(mn_context *ctx, const mn_hmm_densities *d, double *sums, const double *given)
{
  const mn_hmm_layout *l = d->l;
  const size_t p = l->g, c = d->c, triangle = l->diagonal ? p : p * (p + 1) / 2;
  finish_categories(l, sums);
  if (p == 0) return MN_OK;
  double *lanes = MN_RAW(ctx, double, c, 1 + p + triangle);
  MN_CHECK_ALLOC(lanes);
  memcpy(lanes, sums, c * (1 + p + triangle) * sizeof *lanes);
  mn_gaussian_sums to = mn_gaussian_sums_view(&d->gaussians, sums);
  memset(sums, 0, to.size * sizeof *sums);
  for (size_t s = 0; s < l->k; s++)
    for (size_t m = 0; m < l->mix; m++) {
      const size_t at = s * l->mix + m;
      const double *from = lanes + m * l->w + s, *scatter = from + c * (1 + p);
      to.count[at] = from[0];
      for (size_t j = 0; j < p; j++) to.sum[at * p + j] = from[c * (1 + j)];
      for (size_t j = 0; l->diagonal && j < p; j++) to.scatter[at * p + j] = scatter[j * c];
      for (size_t i = 0; !l->diagonal && i < p; i++)
        for (size_t j = i; j < p; j++)
          to.scatter[at * p * p + i * p + j] = to.scatter[at * p * p + j * p + i] =
              scatter[(i * (2 * p - i - 1) / 2 + j) * c];
    }
  if (!d->data->incomplete_of) return MN_OK;
  const mn_gaussian_pass pass = { .g = &d->gaussians, .columns = d->gaussians.k, .given = given, .sums = &to };
  return mn_gaussian_missing_pass(ctx, &d->data->incomplete, &d->data->split, &pass, NULL, NULL);
}
