/* The categories of each column: shared by the encoders.
 *
 * The categories of a factor column are its levels, including levels without rows; those of a numeric column are its
 * distinct values. Infrequent categories may be merged into one group, the last. */
#ifndef MN_ENCODE_CATEGORIES_H
#define MN_ENCODE_CATEGORIES_H
#include "../model/class.h"
#include "../model/program.h"

struct mn_categories {
  mn_levels_list levels; /* features: the categories */
  mn_indexes missing;    /* features: 1 if a missing value is a category, which then comes after the levels */
  mn_indexes group;      /* group of each category (0-based), column after column */
  mn_indexes groups;     /* features: number of groups */
  mn_indexes infrequent; /* features: the group of infrequent categories, -1 for none */
};

/* Fields of a class table; `member` is the struct mn_categories of `type`. */
#define MN_CATEGORY_FIELD(kind_, name_, type, member, shape_, text)                                                    \
  {                                                                                                                    \
    .name = (name_), .kind = (kind_), .offset = offsetof(type, member), .shape = (shape_), .brief = (text)             \
  }
#define MN_CATEGORY_FIELDS(type, member)                                                                               \
  MN_CATEGORY_FIELD(MN_KIND_LEVELS, "categories", type, member.levels, "features", "categories of each column"),       \
      MN_CATEGORY_FIELD(MN_KIND_INDEXES, "missing", type, member.missing, "features", NULL),                           \
      MN_CATEGORY_FIELD(MN_KIND_INDEXES, "group", type, member.group, "slots?", NULL),                                 \
      MN_CATEGORY_FIELD(MN_KIND_INDEXES, "groups", type, member.groups, "features", NULL),                             \
      MN_CATEGORY_FIELD(MN_KIND_INDEXES, "infrequent", type, member.infrequent, "features", NULL)

struct mn_category_options {
  double min_frequency;   /* rarer categories are merged: a number of rows (mn_frequency_weights) if at least 1, a
                             fraction of them below 1; NaN means none */
  int64_t max_categories; /* maximum number of groups of a column; MN_UNSET means unlimited */
  bool missing;           /* whether missing values seen in fit form a category */
};

mn_status mn_learn_categories(mn_context *ctx, const mn_data *data, struct mn_category_options options,
                              struct mn_categories *c);

/* Number of categories of column j, including missing. */
size_t mn_category_count(const struct mn_categories *c, size_t j);

/* Groups of the categories of column j. */
const int32_t *mn_category_groups(const struct mn_categories *c, size_t j);

/* Value of a category in X: its code in a factor column, its value in a numeric one, NaN for missing. */
double mn_category_value(const struct mn_categories *c, const mn_estimator *model, size_t j, size_t category);

/* Write the name of a group, "column_category". */
void mn_group_name(const struct mn_categories *c, const char *const *inputs, size_t j, size_t g, char *text,
                   size_t size);

/* Check loaded categories. */
bool mn_categories_are_valid(const struct mn_categories *c, const mn_estimator *model);

/* Maps the values of a column to numbers: one for each category, one for a missing value, one for an unknown value. */
struct mn_lookup {
  const double *value;  /* numeric column: the categories, ascending; NULL for codes */
  size_t size;          /* number of categories, without missing */
  const double *result; /* size */
  double missing, unknown;
  const double *direct; /* NULL, or the results for value[0], value[0] + 1, ... up to the last category */
};

/* Keeps a reference to `result` (mn_category_count values, missing last if it is a category). `unknown` also applies to
 * a missing value that is not a category. */
mn_status mn_make_lookup(mn_context *ctx, const struct mn_categories *c, const mn_estimator *model, size_t j,
                         const double *result, double unknown, struct mn_lookup *l);

/* Add `direct` if the categories are integers in a small range; value, size, result and unknown are set. */
mn_status mn_make_direct(mn_context *ctx, struct mn_lookup *l);

double mn_search_category(const struct mn_lookup *l, double x); /* of a numeric column */

static inline double mn_look_up(const struct mn_lookup *l, double x)
{
  if (isnan(x)) return l->missing;
  if (!l->value) return x >= 0 && x < (double)l->size ? l->result[(size_t)x] : l->unknown;
  if (!l->direct) return mn_search_category(l, x);
  const double place = x - l->value[0];
  if (!(place >= 0 && x <= l->value[l->size - 1])) return l->unknown;
  const size_t at = (size_t)place;
  return (double)at < place ? l->unknown : l->direct[at];
}

/* Append mn_look_up of each feature to a program: sets `found` for feature j, inside a loop over j that the caller must
 * close. */
mn_status mn_lookup_program(mn_context *ctx, const struct mn_lookup *lookup, size_t features, mn_program *program);

/* The error of handle_unknown = "error": a value that is not a category. */
mn_status mn_unknown_category(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t row, size_t j);

#endif
