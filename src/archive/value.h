/* The values of parameters and learned fields, by kind, with one function each to copy and free them. */
#ifndef MN_ARCHIVE_VALUE_H
#define MN_ARCHIVE_VALUE_H
#include "../core/levels.h"
#include "../core/matrix.h"
#include "../kernel/kernel.h"

typedef enum mn_kind {
  MN_KIND_REAL,         /* double                  */
  MN_KIND_COUNT,        /* int64_t                 */
  MN_KIND_FLAG,         /* bool                    */
  MN_KIND_CHOICE,       /* int64_t: index of a choice */
  MN_KIND_VECTOR,       /* mn_vector               */
  MN_KIND_MATRIX,       /* mn_matrix               */
  MN_KIND_INDEXES,      /* mn_indexes              */
  MN_KIND_CSR,          /* mn_csr                  */
  MN_KIND_LEVELS,       /* mn_levels_list          */
  MN_KIND_NAMES,        /* mn_names                */
  MN_KIND_TEXT,         /* mn_text                 */
  MN_KIND_GROUPS,       /* mn_feature_groups       */
  MN_KIND_COLUMN,       /* mn_feature               */
  MN_KIND_COLUMNS,      /* mn_feature_list: a list of columns, all by number or all by name */
  MN_KIND_KERNEL,       /* mn_kernel               */
  MN_KIND_COLUMN_VALUES /* mn_feature_list: a number for each column, or for those that are named */
} mn_kind;

/* Levels of several columns; an entry may be NULL. */
typedef struct mn_levels_list {
  const mn_levels **at;
  size_t size;
} mn_levels_list;

typedef struct mn_names {
  char **at; /* each NUL-terminated */
  size_t size;
} mn_names;

typedef struct mn_text {
  char *bytes; /* NUL-terminated; NULL: unset */
  size_t size;
} mn_text;

/* Groups of columns as the user gave them: a matrix, groups x columns, > 0 for the columns of a group; or lists of
 * columns by number or name, concatenated. */
typedef struct mn_feature_groups {
  mn_matrix table;   /* at NULL: unset, or lists             */
  mn_indexes group;  /* of each entry: 0.. ascending, no gaps */
  mn_indexes column; /* of each entry: -1 if it is given by name */
  mn_names name;     /* of each entry: "" if given by number */
} mn_feature_groups;

/* A column of X as the user gave it: by name, or by number, from 1. */
typedef struct mn_feature {
  int64_t number; /* INT64_MIN: unset, if there is no name either */
  mn_text name;   /* bytes NULL: given by number                  */
} mn_feature;

/* Several columns, or numbers for columns. */
typedef struct mn_feature_list {
  mn_vector value; /* of COLUMNS: numbers of columns, empty if they are named; of COLUMN_VALUES: the numbers */
  mn_names name;   /* empty: the columns are not named, and NaN in COLUMN_VALUES is a column without number   */
} mn_feature_list;

mn_status mn_levels_list_init(mn_context *ctx, mn_levels_list *list, size_t size);
mn_status mn_names_init(mn_context *ctx, mn_names *names, const char *const *from, size_t size);
mn_status mn_text_init(mn_context *ctx, mn_text *text, const char *bytes, size_t size);

/* Copy to the empty *to. It stays empty on failure. */
mn_status mn_value_copy(mn_context *ctx, mn_kind kind, const void *from, void *to);

/* The same for levels from another account, which are copied instead of retained. */
mn_status mn_levels_list_copy(mn_context *ctx, const mn_levels_list *from, mn_levels_list *to);

static inline bool mn_column_is_set(const mn_feature *column)
{
  return column->name.bytes || column->number != INT64_MIN;
}

static inline bool mn_columns_are_set(const mn_feature_list *columns)
{
  return columns->value.at || columns->name.at;
}

static inline bool mn_groups_are_set(const mn_feature_groups *groups)
{
  return groups->table.at || groups->group.at;
}

/* Free a value; it is empty afterwards. */
void mn_value_free(mn_memory *memory, mn_kind kind, void *value);

#endif
