/* Tomek links: rows of different classes, each the nearest row of the other. */
#ifndef MN_RESAMPLE_TOMEK_LINKS_H
#define MN_RESAMPLE_TOMEK_LINKS_H
#include "row_subset.h"

/* keep[row] = false for the rows of the subset in a link within it, of classes that may lose rows. */
mn_status mn_cut_tomek_links(mn_context *ctx, const mn_resampler *m, const mn_data *data, const mn_row_subset *rows,
                             bool *keep);

#endif
