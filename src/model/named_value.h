/* Rows of named values, such as { city = "Oslo", age = 31 }, each encoded as one text, so that they reach estimators as
 * texts do. The binding writes them; estimators with MN_RECORDS read them. */
#ifndef MN_MODEL_NAMED_VALUE_H
#define MN_MODEL_NAMED_VALUE_H
#include <stdbool.h>
#include <stddef.h>

/* A name with a number or a text. */
typedef struct mn_named_value {
  const char *name, *text; /* text NULL: a number */
  size_t name_size, text_size;
  double number;
} mn_named_value;

size_t mn_named_value_size(const mn_named_value *value);

/* Write mn_named_value_size bytes; returns their end. */
char *mn_named_value_write(const mn_named_value *value, char *out);

/* Read the value at `at`; returns its end, NULL if these bytes are no such value. */
const char *mn_named_value_read(const char *at, const char *end, mn_named_value *out);

#endif
