#include "model.h"
#include <string.h>

#define MN_ESTIMATOR(name) extern const mn_class mn_##name;
#include "../estimators.def"
#undef MN_ESTIMATOR

static const mn_class *const classes[] = {
#define MN_ESTIMATOR(name) &mn_##name,
#include "../estimators.def"
#undef MN_ESTIMATOR
};

size_t mn_class_count(void)
{
  return sizeof classes / sizeof *classes;
}

const mn_class *mn_class_at(size_t index)
{
  return classes[index];
}

const mn_class *mn_class_named(const char *name)
{
  for (size_t i = 0; i < mn_class_count(); i++)
    if (strcmp(classes[i]->name, name) == 0) return classes[i];
  return NULL;
}
