/* Summaries of a MARS model: its equation and the importance of the columns. */
#include "../model/operation.h"
#include "mars.h"
#include "../linear/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 24 };

static const char *column_name(const struct mn_mars_model *m, size_t j, char text[NAME_SIZE])
{
  if (m->base.feature_names.at) return m->base.feature_names.at[j];
  snprintf(text, NAME_SIZE, "x%zu", j + 1);
  return text;
}

/* Print a term, as in "h(wind-8.6)*temp". */
static void print_term(mn_text_page *page, const struct mn_mars_model *m, size_t term)
{
  const char *between = "";
  char text[NAME_SIZE];
  if (term == 0) mn_print(page, "(Intercept)");
  for (size_t j = 0; j < m->dirs.cols; j++) {
    const double dir = mn_row(&m->dirs, term)[j], knot = mn_row(&m->cuts, term)[j];
    if (dir == MN_MARS_ABSENT) continue;
    const char *column = column_name(m, j, text);
    if (dir == MN_MARS_LINEAR)
      mn_print(page, "%s%s", between, column);
    else if (dir == MN_MARS_ABOVE && knot < 0)
      mn_print(page, "%sh(%s+%.6g)", between, column, -knot);
    else if (dir == MN_MARS_ABOVE)
      mn_print(page, "%sh(%s-%.6g)", between, column, knot);
    else
      mn_print(page, "%sh(%.6g-%s)", between, knot, column);
    between = "*";
  }
}

struct key {
  const struct mn_mars_model *m;
  size_t term, at; /* index among the selected terms */
};

static size_t degree_of(const double *dirs, size_t p)
{
  size_t degree = 0;
  for (size_t j = 0; j < p; j++) degree += dirs[j] != 0;
  return degree;
}

/* The order of earth's summary: by degree, linear terms first, then by columns and knots; of a pair, max(0, t - x)
 * first. */
static int compare_terms(const void *left, const void *right)
{
  const struct key *a = left, *b = right;
  const size_t p = a->m->dirs.cols;
  const double *da = mn_row(&a->m->dirs, a->term), *db = mn_row(&b->m->dirs, b->term);
  const size_t na = degree_of(da, p), nb = degree_of(db, p);
  if (na != nb) return na < nb ? -1 : 1;
  bool la = false, lb = false;
  for (size_t j = 0; j < p; j++) la = la || da[j] == MN_MARS_LINEAR, lb = lb || db[j] == MN_MARS_LINEAR;
  if (la != lb) return la ? -1 : 1;
  for (size_t j = 0; j < p; j++)
    if ((da[j] != 0) != (db[j] != 0)) return da[j] != 0 ? -1 : 1;
  for (size_t j = 0; j < p; j++) {
    const double ca = mn_row(&a->m->cuts, a->term)[j], cb = mn_row(&b->m->cuts, b->term)[j];
    if (ca != cb) return ca < cb ? -1 : 1;
  }
  for (size_t j = 0; j < p; j++)
    if (da[j] != db[j]) return da[j] < db[j] ? -1 : 1;
  return a->at < b->at ? -1 : 1;
}

static mn_status sorted_terms(mn_context *ctx, const struct mn_mars_model *m, struct key **order)
{
  *order = MN_RAW(ctx, struct key, m->selected_terms.size, 1);
  MN_CHECK_ALLOC(*order);
  for (size_t k = 0; k < m->selected_terms.size; k++)
    (*order)[k] = (struct key){ .m = m, .term = (size_t)m->selected_terms.at[k], .at = k };
  qsort(*order, m->selected_terms.size, sizeof **order, compare_terms);
  return MN_OK;
}

struct importance {
  size_t column, nsubsets;
  double gcv, rss;
};

static double signed_sqrt(double x)
{
  return x < 0 ? -sqrt(-x) : sqrt(x);
}

/* Compare in decreasing order, NaN last: the GCV of subsets with more parameters than rows is infinite. */
static int compare_decreasing(double a, double b)
{
  if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
  return (a < b) - (a > b);
}

static int compare_importance(const void *left, const void *right)
{
  const struct importance *a = left, *b = right;
  if (a->nsubsets != b->nsubsets) return a->nsubsets > b->nsubsets ? -1 : 1;
  const int gcv = compare_decreasing(a->gcv, b->gcv), rss = compare_decreasing(a->rss, b->rss);
  if (gcv != 0) return gcv;
  if (rss != 0) return rss;
  return a->column < b->column ? -1 : 1;
}

/* Whether the subset of this size contains a column. */
static bool in_subset(const struct mn_mars_model *m, size_t size, size_t column)
{
  for (size_t k = 0; k < m->dirs.rows; k++)
    if (mn_row(&m->prune_terms, size - 1)[k] != 0 && mn_row(&m->dirs, k)[column] != 0) return true;
  return false;
}

/* Over the subsets up to the size of the model, the decreases of GCV and RSS from each subset to the next are credited
 * to all columns in it; square roots of the sums, scaled to a maximum of 100. */
static mn_status compute_importance(mn_context *ctx, const struct mn_mars_model *m, struct importance **out)
{
  const size_t p = m->dirs.cols;
  double max_gcv = 0, max_rss = 0;
  struct importance *list = *out = MN_NEW(ctx, struct importance, p, 1);
  MN_CHECK_ALLOC(list);
  for (size_t j = 0; j < p; j++) {
    list[j].column = j;
    for (size_t size = 2; size <= m->selected_terms.size; size++)
      if (in_subset(m, size, j)) {
        list[j].nsubsets++;
        list[j].gcv += m->gcv_per_subset.at[size - 2] - m->gcv_per_subset.at[size - 1];
        list[j].rss += m->rss_per_subset.at[size - 2] - m->rss_per_subset.at[size - 1];
      }
    max_gcv = fmax(max_gcv, list[j].gcv);
    max_rss = fmax(max_rss, list[j].rss);
  }
  for (size_t j = 0; j < p; j++) {
    if (max_gcv > 0) list[j].gcv = 100 * signed_sqrt(list[j].gcv / max_gcv);
    if (max_rss > 0) list[j].rss = 100 * signed_sqrt(list[j].rss / max_rss);
  }
  qsort(list, p, sizeof *list, compare_importance);
  return MN_OK;
}

static mn_status column_names(mn_context *ctx, const struct mn_mars_model *m, const struct importance *list,
                              const char ***out)
{
  const size_t p = m->dirs.cols;
  char *buffer = MN_RAW(ctx, char, p, NAME_SIZE);
  *out = MN_RAW(ctx, const char *, p, 1);
  if (!buffer || !*out) return MN_NO_MEMORY;
  for (size_t j = 0; j < p; j++) (*out)[j] = column_name(m, list[j].column, buffer + j * NAME_SIZE);
  return MN_OK;
}

static mn_status evimp(mn_context *ctx, const void *self, const mn_data *data, const void *options, mn_results *results)
{
  (void)data, (void)options;
  const struct mn_mars_model *m = self;
  const size_t p = m->dirs.cols;
  struct importance *list;
  const char **names;
  mn_indexes *column;
  mn_vector *nsubsets, *gcv, *rss;
  MN_TRY(compute_importance(ctx, m, &list));
  MN_TRY(column_names(ctx, m, list, &names));
  MN_TRY(mn_result_names(ctx, results, "importance.feature", names, p));
  MN_TRY(mn_result_indexes(ctx, results, "importance.column", p, &column));
  MN_TRY(mn_result_vector(ctx, results, "importance.nsubsets", p, &nsubsets));
  MN_TRY(mn_result_vector(ctx, results, "importance.gcv", p, &gcv));
  MN_TRY(mn_result_vector(ctx, results, "importance.rss", p, &rss));
  for (size_t j = 0; j < p; j++) {
    column->at[j] = (int32_t)list[j].column;
    nsubsets->at[j] = (double)list[j].nsubsets;
    gcv->at[j] = list[j].gcv;
    rss->at[j] = list[j].rss;
  }
  return MN_OK;
}

static const char *const stop_reasons[] = {
  [MN_MARS_FULL] = "nk terms were reached",
  [MN_MARS_THRESH] = "R2 increased by less than thresh",
  [MN_MARS_PERFECT] = "R2 came within thresh of 1",
  [MN_MARS_BAD_GCV] = "the GCV became too large: too many terms for so few rows",
  [MN_MARS_NOTHING] = "no term lowers the RSS",
  [MN_MARS_STOPPED] = "it was canceled",
};

static void print_footer(mn_text_page *page, const struct mn_mars_model *m)
{
  size_t columns = 0;
  for (size_t j = 0; j < m->dirs.cols; j++) columns += in_subset(m, m->selected_terms.size, j);
  mn_print(page, "\n%zu of %zu terms, %zu of %zu columns. The forward pass ended because %s.\n", m->selected_terms.size,
           m->dirs.rows, columns, m->dirs.cols, stop_reasons[m->ended]);
  mn_print(page, "GCV %.7g, RSS %.7g, GRSq %.4f, RSq %.4f\n", m->gcv, m->rss, m->grsq, m->rsq);
}

/* The terms as strings, for the Frame. */
static mn_status term_names(mn_context *ctx, const struct mn_mars_model *m, const struct key *order, size_t buffer,
                            const char ***out)
{
  *out = MN_RAW(ctx, const char *, m->selected_terms.size, 1);
  MN_CHECK_ALLOC(*out);
  for (size_t k = 0; k < m->selected_terms.size; k++) {
    mn_text_page text;
    MN_TRY(mn_page_begin(ctx, &text, buffer));
    print_term(&text, m, order[k].term);
    (*out)[k] = text.at;
  }
  return MN_OK;
}

/* Upper bound of the bytes of a term: names and knots of its columns. */
static size_t max_term_size(const struct mn_mars_model *m)
{
  size_t max_degree = 0, max_length = NAME_SIZE;
  for (size_t k = 0; k < m->dirs.rows; k++) {
    const size_t degree = degree_of(mn_row(&m->dirs, k), m->dirs.cols);
    if (degree > max_degree) max_degree = degree;
  }
  for (size_t j = 0; m->base.feature_names.at && j < m->dirs.cols; j++) {
    const size_t length = strlen(m->base.feature_names.at[j]);
    if (length > max_length) max_length = length;
  }
  return 32 + max_degree * (max_length + 32);
}

static mn_status summary(mn_context *ctx, const void *self, const mn_data *data, const void *options,
                         mn_results *results)
{
  (void)data, (void)options;
  const struct mn_mars_model *m = self;
  const size_t terms = m->selected_terms.size, targets = m->coef.rows, buffer = max_term_size(m);
  struct key *order;
  const char **names;
  mn_matrix *coef;
  mn_text_page page;
  MN_TRY(sorted_terms(ctx, m, &order));
  MN_TRY(term_names(ctx, m, order, buffer, &names));
  MN_TRY(mn_result_names(ctx, results, "terms", names, terms));
  MN_TRY(mn_result_matrix(ctx, results, "coef", targets, terms, &coef));
  MN_TRY(mn_page_begin(ctx, &page, 512 + targets * (32 + terms * (buffer + 32))));
  for (size_t t = 0; t < targets; t++) {
    if (targets > 1)
      mn_print(&page, "%sy%zu =", t > 0 ? "\n" : "", t + 1);
    else
      mn_print(&page, "y =");
    for (size_t k = 0; k < terms; k++) {
      const double b = coef->at[t * terms + k] = m->coef.at[t * terms + order[k].at];
      if (k == 0)
        mn_print(&page, " %.7g\n", b);
      else
        mn_print(&page, "  %c %-12.7g * %s\n", b < 0 ? '-' : '+', fabs(b), names[k]);
    }
  }
  print_footer(&page, m);
  return mn_result_text(ctx, results, "text", page.at, page.size);
}

const mn_operation mn_mars_operations[] = {
  { .name = "summary",
    .brief = "the equation, with h(x) = max(0, x); terms sorted by degree, columns and knots",
    .returns = "terms (texts), coef (targets x terms), text",
    .run = summary },
  { .name = "evimp",
    .brief = "importance of the columns, from the subsets of the backward pass that contain them",
    .returns =
        "Frame sorted by nsubsets: feature, column, nsubsets (subsets that contain it), gcv and rss (square root of their decrease, scaled to a maximum of 100)",
    .run = evimp },
  { .name = NULL },
};
