#include "logistic_separation.h"

const char mn_logistic_separable_advice[] =
    "the classes are separable, so the coefficients diverge; use penalty = 'l2'";

static bool is_correct(size_t decisions, const double *score, size_t own)
{
  if (decisions == 1) return own == 1 ? score[0] > 0 : score[0] < 0;
  for (size_t c = 0; c < decisions; c++)
    if (c != own && !(score[own] > score[c])) return false;
  return true;
}

bool mn_logistic_separates(const mn_data *data, const int32_t *code, size_t decisions, const double *score,
                           size_t stride)
{
  for (size_t i = 0; i < data->rows; i++)
    if (mn_weight(data, i) > 0 && !is_correct(decisions, score + i * stride, (size_t)code[i])) return false;
  return true;
}
