/* Estimators in archives. */
#ifndef MN_MODEL_SAVE_H
#define MN_MODEL_SAVE_H
#include "archive.h"
#include "model.h"

/* The model as a group of records called `name`. */
void mn_save_estimator(mn_writer *w, const char *name, const mn_estimator *model);

/* The model in the group at index `group`. Every parameter is checked as if a user set it, every shape against the
 * class table. NULL with the text set on failure. */
mn_estimator *mn_load_estimator(const mn_reader *r, size_t group);

/* Is the group an estimator of ours? A composition may have a part that is called "estimator", which is no text. */
bool mn_holds_estimator(const mn_reader *r, size_t group);

#endif
