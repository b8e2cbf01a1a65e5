/* Names of output columns. */
#ifndef MN_PREPROCESS_NAMES_H
#define MN_PREPROCESS_NAMES_H
#include <stddef.h>
#include <stdio.h>

enum { MN_INPUT_NAME_SIZE = 128 };

/* Name of feature j: as given, or x1, x2, ... if X had no names. */
static inline const char *mn_input_name(const char *const *inputs, size_t j, char text[MN_INPUT_NAME_SIZE])
{
  if (inputs) return inputs[j];
  snprintf(text, MN_INPUT_NAME_SIZE, "x%zu", j + 1);
  return text;
}

#endif
