/* Estimators in archives. */
#ifndef MN_MODEL_SAVE_H
#define MN_MODEL_SAVE_H
#include "../archive/archive.h"
#include "model.h"

/* Write the model as a group of records called `name`. */
void mn_save_estimator(mn_writer *w, const char *name, const mn_estimator *model);

/* Read the model of the group at index `group`. Parameters are checked as if set by a user, shapes against the class
 * table. NULL, with the error set, on failure. */
mn_estimator *mn_load_estimator(const mn_reader *r, size_t group);

/* Whether the group is an estimator. A composition may have a part called "estimator", too, but that is not a text. */
bool mn_holds_estimator(const mn_reader *r, size_t group);

#endif
