/* The factor columns of X with their own levels, including levels not seen in fit. */
#ifndef MN_PREPROCESS_OWN_LEVELS_H
#define MN_PREPROCESS_OWN_LEVELS_H
#include "../model/data.h"

/* The levels of column j, which must be a factor. */
static inline const mn_levels *mn_own_levels(const mn_data *data, size_t j)
{
  return data->original ? data->original_levels[j] : data->levels[j];
}

/* The code of row i within them; negative or NaN for a missing value. */
static inline double mn_own_code(const mn_data *data, size_t i, size_t j)
{
  return (data->original ? data->original : data->x.at)[i * data->features + j];
}

#endif
