/* Removes rows because of the classes of their nearest rows (Wilson 1972), once or repeatedly. */
#ifndef MN_RESAMPLE_EDITED_H
#define MN_RESAMPLE_EDITED_H
#include "row_subset.h"

enum { MN_EDIT_ALL, MN_EDIT_MODE };
extern const char *const mn_edit_kinds[];

typedef struct mn_edited {
  mn_resampler resampler;
  int64_t n_neighbors, kind_sel;
} mn_edited;

/* Entries for the tables of an estimator that begins with mn_edited. */
#define MN_EDITED_PARAMS(neighbors)                                                                                    \
  MN_CLEANER_PARAM(mn_edited), MN_COUNT(mn_edited, n_neighbors, 3, MN_CLOSED(1, INT32_MAX - 1), neighbors),            \
      MN_CHOICE(mn_edited, kind_sel, MN_EDIT_ALL, mn_edit_kinds,                                                       \
                "all: keep a row if all neighbors have its class; mode: if it is their most frequent class")

/* fit: counts the classes and checks n_neighbors. */
mn_status mn_edited_fit(mn_context *ctx, void *self, const mn_data *data);

/* Is the class `own` that of all k neighbors, or the most frequent one, ties broken by the order of the classes? votes:
 * one for each class, zero before and after. */
bool mn_neighbors_agree(int64_t kind, size_t own, size_t k, const size_t *label, size_t *votes);

/* One edit with k neighbors among the rows with keep[row]. counts[c]: the number of them in class c. Both are updated.
 */
mn_status mn_edit(mn_context *ctx, const mn_edited *m, const mn_data *data, size_t k, bool *keep, double *counts);

/* Repeated edits of the rows that are left, until one would remove a whole class or leave too few rows. */
typedef struct mn_edits {
  int64_t rounds;      /* at most                                                           */
  bool growing;        /* with 1, 2, ... neighbors; else with n_neighbors until none removes a row */
  bool allow_minority; /* else until a class is smaller than the smallest class was at first */
} mn_edits;
mn_status mn_edit_repeatedly(mn_context *ctx, const mn_edited *m, const mn_data *data, mn_edits edits,
                             mn_resampled *out);

#endif
