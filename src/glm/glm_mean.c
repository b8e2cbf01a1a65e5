/* The mean at a linear predictor, one row at a time. Unlike in the loops of fitting (glm_kernel.c) the result depends
 * neither on other rows nor on the CPU. Each link has its formula twice: in C and as a statement of exported programs.
 */
#include "../stats/special.h"
#include "../model/program.h"
#include "glm.h"

static double clamp(double eta, double low, double high)
{
  return eta < low ? low : eta > high ? high : eta;
}

static double mean_of_identity(double power, double eta)
{
  (void)power;
  return eta;
}

static double mean_of_log(double power, double eta)
{
  (void)power;
  return exp(clamp(eta, -MN_GLM_MAX_EXP_ETA, MN_GLM_MAX_EXP_ETA));
}

static double mean_of_logit(double power, double eta)
{
  (void)power;
  const double odds = exp(clamp(eta, -MN_GLM_MAX_EXP_ETA, MN_GLM_MAX_EXP_ETA));
  return odds * (1 / (1 + odds));
}

static double mean_of_probit(double power, double eta)
{
  (void)power;
  return mn_normal_cdf(clamp(eta, -MN_GLM_MAX_PROBIT_ETA, MN_GLM_MAX_PROBIT_ETA));
}

static double mean_of_cloglog(double power, double eta)
{
  (void)power;
  return -expm1(-exp(clamp(eta, MN_GLM_MIN_CLOGLOG_ETA, MN_GLM_MAX_CLOGLOG_ETA)));
}

static double mean_of_inverse(double power, double eta)
{
  (void)power;
  return 1 / (fabs(eta) < MN_GLM_MIN_ETA ? 1 : eta);
}

static double mean_of_sqrt(double power, double eta)
{
  (void)power;
  return eta * eta;
}

static double mean_of_power(double power, double eta)
{
  return pow(eta > MN_GLM_MIN_ETA ? eta : 1, 1 / power);
}

/* A number given by a macro, as text for programs. */
#define GLM_TEXT(number) GLM_DIGITS(number)
#define GLM_DIGITS(number) #number

static const struct {
  double (*mean)(double power, double eta);
  const char *code;
} means[MN_GLM_LINKS] = {
  [MN_LINK_IDENTITY] = { mean_of_identity, "out[0] = eta" },
  [MN_LINK_LOG] = { mean_of_log,
                    "out[0] = exp(clamp(eta, -" GLM_TEXT(MN_GLM_MAX_EXP_ETA) ", " GLM_TEXT(MN_GLM_MAX_EXP_ETA) "))" },
  [MN_LINK_LOGIT] = { mean_of_logit, "real odds = exp(clamp(eta, -" GLM_TEXT(MN_GLM_MAX_EXP_ETA) ", " GLM_TEXT(
                                         MN_GLM_MAX_EXP_ETA) ")) out[0] = odds * (1.0 / (1.0 + odds))" },
  [MN_LINK_PROBIT] = { mean_of_probit, "out[0] = normal_sf(-clamp(eta, -" GLM_TEXT(MN_GLM_MAX_PROBIT_ETA) ", " GLM_TEXT(
                                           MN_GLM_MAX_PROBIT_ETA) "))" },
  [MN_LINK_CLOGLOG] = { mean_of_cloglog, "out[0] = -expm1(-exp(clamp(eta, " GLM_TEXT(
                                             MN_GLM_MIN_CLOGLOG_ETA) ", " GLM_TEXT(MN_GLM_MAX_CLOGLOG_ETA) ")))" },
  [MN_LINK_INVERSE] = { mean_of_inverse, "out[0] = 1.0 / (abs(eta) < " GLM_TEXT(MN_GLM_MIN_ETA) " ? 1.0 : eta)" },
  [MN_LINK_INVERSE_SQUARED] = { mean_of_power,
                                "out[0] = pow(eta > " GLM_TEXT(MN_GLM_MIN_ETA) " ? eta : 1.0, exponent)" },
  [MN_LINK_SQRT] = { mean_of_sqrt, "out[0] = eta * eta" },
  [MN_LINK_POWER] = { mean_of_power, "out[0] = pow(eta > " GLM_TEXT(MN_GLM_MIN_ETA) " ? eta : 1.0, exponent)" },
};

double mn_glm_mean(const struct mn_glm *m, double eta)
{
  return means[m->link_code].mean(m->exponent, eta);
}

mn_status mn_glm_export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)ctx;
  const struct mn_glm *m = self;
  if (action != MN_PREDICT) return MN_OK;
  mn_linear_program(&m->linear, program);
  mn_program_real(program, "exponent", 1 / m->exponent);
  mn_program_code(program, "real eta = intercept[0] + dot(features, x, 0, coef, 0)");
  mn_program_code(program, means[m->link_code].code);
  return MN_OK;
}
