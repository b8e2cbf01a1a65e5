/* The categories of each column: what the encoders share.
 *
 * Those of a factor column are its levels, also such as no row has; those of a numeric column are its distinct values.
 * Rare categories may be put together into one group, which comes last. */
#ifndef MN_PREPROCESS_CATEGORIES_H
#define MN_PREPROCESS_CATEGORIES_H
#include "../model/class.h"
#include "../model/program.h"

struct mn_categories {
  mn_levels_list levels; /* features: the categories                                                              */
  mn_indexes missing;    /* features: 1 where a missing value is a category, which then comes after the levels    */
  mn_indexes group;      /* for each category of the first column, then of the second, ...: its group, 0-based    */
  mn_indexes groups;     /* features: how many groups                                                             */
  mn_indexes infrequent; /* features: the group of rare categories, -1 for none                                   */
};

/* Fields of the struct for the table of a class: `type` has a struct mn_categories `member`. */
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
  double min_frequency;   /* rarer ones are put together: from 1 on a number of rows (mn_count_by_weight), a
                             share below 1; NaN: none */
  int64_t max_categories; /* most groups of a column; MN_UNSET: any number                               */
  bool missing;           /* a missing value is a category, where fit meets one                          */
};

mn_status mn_learn_categories(mn_context *ctx, const mn_data *data, struct mn_category_options options,
                              struct mn_categories *c);

/* Categories of column j, missing among them. */
size_t mn_category_count(const struct mn_categories *c, size_t j);

/* Groups of the categories of column j; how many those of the columns before have. */
const int32_t *mn_category_groups(const struct mn_categories *c, size_t j);

/* The first category of group g of column j. Groups other than the infrequent one have no other. */
size_t mn_category_of_group(const struct mn_categories *c, size_t j, size_t g);

/* What stands for a category in X: its code in a factor column, its value in a numeric one, NaN for missing. */
double mn_category_value(const struct mn_categories *c, const mn_estimator *model, size_t j, size_t category);

/* "column_category" for a group. */
void mn_group_name(const struct mn_categories *c, const char *const *inputs, size_t j, size_t g, char *text,
                   size_t size);

/* After load: do the parts belong together? */
bool mn_categories_are_sound(const struct mn_categories *c, const mn_estimator *model);

/* A column's values to numbers: what stands for each category, for a missing value and for an unknown one. */
struct mn_lookup {
  const double *value;  /* numeric column: the categories, ascending; NULL: codes            */
  size_t size;          /* categories without missing                                       */
  const double *result; /* one for each                                                    */
  double missing, unknown;
  const double *direct; /* NULL, or results for value[0], value[0] + 1, ... up to the last */
};

/* `result` (mn_category_count values, missing last if it is one) is kept. `unknown` also stands for a missing value
 * that is no category. */
mn_status mn_make_lookup(mn_context *ctx, const struct mn_categories *c, const mn_estimator *model, size_t j,
                         const double *result, double unknown, struct mn_lookup *l);

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

/* mn_look_up of each feature for program.h: leaves `found` for feature j, after which the loop over j is to be closed.
 */
mn_status mn_lookup_program(mn_context *ctx, const struct mn_lookup *lookup, size_t features, mn_program *program);

/* For handle_unknown = "error": a value that has no category. */
mn_status mn_unknown_category(mn_context *ctx, const mn_estimator *model, const mn_data *data, size_t row, size_t j);

#endif
