#ifndef MN_MIXTURE_COMPONENT_WARNING_H
#define MN_MIXTURE_COMPONENT_WARNING_H
#include "../model/class.h"

/* Warns if fewer than n_components components have weight. */
void mn_component_warning(int64_t n_components, const mn_vector *weights, mn_text_buffer *text);

#endif
