/* What the parts of loading a model share. */
#ifndef MN_MODEL_LOAD_H
#define MN_MODEL_LOAD_H
#include "save.h"

size_t mn_record_index(const mn_reader *r, const mn_record *record);

/* The group with this name inside another; NULL if there is none. */
const mn_record *mn_record_group(const mn_reader *r, size_t group, const char *name);

/* MN_BAD_FILE: what is wrong with the model. */
mn_status mn_bad_model(const mn_reader *r, const mn_estimator *model, const char *what);

mn_status mn_record_names(const mn_reader *r, const mn_record *record, mn_names *names);

/* Set the parameters of `model` from its group in the archive. */
mn_status mn_load_params(const mn_reader *r, size_t group, mn_estimator *model);

#endif
