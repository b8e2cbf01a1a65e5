#include "component_warning.h"

void mn_component_warning(int64_t n_components, const mn_vector *weights, mn_text_buffer *text)
{
  static const double negligible = 1e-9; /* EM lowers the weight of a component without rows by factors */
  size_t used = 0;
  for (size_t c = 0; c < weights->size; c++) used += weights->at[c] > negligible;
  if (used < weights->size)
    mn_text_printf(text,
                   "only %zu of %lld components have weight, as when X has fewer distinct rows; decrease n_components",
                   used, (long long)n_components);
}
