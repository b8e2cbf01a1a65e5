/* Frequencies of the categories of several columns in each class. The categories of a factor column are its levels,
 * those of a numeric column its distinct values, which further batches may extend. */
#ifndef MN_NAIVE_BAYES_CATEGORY_TABLE_H
#define MN_NAIVE_BAYES_CATEGORY_TABLE_H
#include "../encode/categories.h"
#include "naive_bayes.h"

typedef struct mn_category_table {
  mn_vector n_categories;    /* features; 0 for a column of another type                                     */
  mn_vector category;        /* slots, feature after feature: values in X (codes of a factor), ascending     */
  mn_matrix count, log_prob; /* classes x slots; all are empty if there is no category                       */
} mn_category_table;

#define MN_CATEGORY_TABLE_FIELD(kind_, name_, type, member, shape_, text)                                              \
  {                                                                                                                    \
    .name = (name_), .kind = (kind_), .offset = offsetof(type, member), .shape = (shape_), .brief = (text)             \
  }
#define MN_CATEGORY_TABLE_FIELDS(type, table)                                                                          \
  MN_CATEGORY_TABLE_FIELD(MN_KIND_VECTOR, "n_categories", type, table.n_categories, "features",                        \
                          "number of categories of each column; 0 for a column of another type"),                      \
      MN_CATEGORY_TABLE_FIELD(MN_KIND_VECTOR, "category", type, table.category, "slots?", NULL),                       \
      MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "category_count", type, table.count, "classes? x slots?",                \
                              "rows of each class in each category, column after column"),                             \
      MN_CATEGORY_TABLE_FIELD(MN_KIND_MATRIX, "feature_log_prob", type, table.log_prob, "classes? x slots?",           \
                              "logarithm of the probability of each category in each class")

enum { MN_UNKNOWN_IGNORE, MN_UNKNOWN_ERROR };
extern const char *const mn_unknown_choices[];

/* Add the rows of `data`, and estimate log_prob.
 *
 *   columns    features: those that are categories; NULL: all
 *   unknown    MN_UNKNOWN_ERROR: levels that an earlier batch did not have are an error; otherwise they are skipped */
mn_status mn_add_categories(mn_context *ctx, const mn_nb *m, const mn_data *data, const bool *columns, int64_t unknown,
                            mn_category_table *t);

/* Tables for prediction; scratch. */
typedef struct mn_category_scores {
  struct mn_lookup *lookup; /* features: the slot of a value, MN_NO_SLOT if it is missing, MN_UNKNOWN_SLOT */
  double *log_prob;         /* slots x classes                                                             */
} mn_category_scores;

#define MN_NO_SLOT (-1.0)
#define MN_UNKNOWN_SLOT (-2.0)

mn_status mn_make_category_scores(mn_context *ctx, const mn_estimator *model, const mn_category_table *t,
                                  mn_category_scores *s);

/* MN_BAD_DATA at the first value that is not a category. */
mn_status mn_check_categories(mn_context *ctx, const mn_estimator *model, const mn_category_table *t,
                              const mn_category_scores *s, const mn_data *data);

/* out[c] += log p(x | c) of feature j; nothing for missing and unknown values. */
static inline void mn_score_category(const mn_category_scores *s, size_t j, double x, size_t k, double *out)
{
  const double slot = mn_look_up(&s->lookup[j], x);
  if (!(slot >= 0)) return;
  const double *log_prob = s->log_prob + (size_t)slot * k;
  for (size_t c = 0; c < k; c++) out[c] += log_prob[c];
}

/* Warns of a numeric column of fractional values, of which each is a category of its own. */
void mn_category_warning(const mn_estimator *model, const mn_category_table *t, mn_text_buffer *text);

/* Whether loaded values fit together. */
bool mn_category_table_is_valid(const mn_category_table *t, const mn_estimator *model);

/* The slots' features, and the texts of their categories; scratch. */
mn_status mn_name_categories(mn_context *ctx, const mn_estimator *model, const mn_category_table *t, int32_t **feature,
                             const char ***text);

#endif
