/* Measures of scores against multilabel targets: y is n x k, 1 if a row has the label (tag), else 0. */
#ifndef MN_METRICS_TAGS_H
#define MN_METRICS_TAGS_H
#include <stddef.h>

typedef enum mn_tag_measure {
  MN_TAG_COVERAGE,  /* number of tags with a score of at least the lowest score of a tag of the row; 0 without tags */
  MN_TAG_PRECISION, /* mean over the tags of the row of (its tags with at least that score) / (all such tags); 1 for
                       a row with no tag or all                                                                      */
  MN_TAG_LOSS       /* fraction of the pairs of a tag of the row and another tag in which the other has at least its
                       score; 0 for a row with no tag or all                                                         */
} mn_tag_measure;

/* The mean of the measure over the rows. w: n weights, or NULL for 1. */
double mn_measure_tags(size_t n, size_t k, const double *y, const double *score, const double *w,
                       mn_tag_measure measure);

#endif
