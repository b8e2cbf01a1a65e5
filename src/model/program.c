#include "program.h"
#include "model.h"
#include <string.h>

static void add_table(mn_program *p, mn_program_table table)
{
  if (p->tables < MN_PROGRAM_TABLES)
    p->table[p->tables++] = table;
  else
    p->full = true;
}

void mn_program_reals(mn_program *p, const char *name, size_t size, const double *values)
{
  add_table(p, (mn_program_table){ .name = name, .reals = values, .size = size });
}

void mn_program_indexes(mn_program *p, const char *name, size_t size, const int32_t *values)
{
  add_table(p, (mn_program_table){ .name = name, .indexes = values, .size = size });
}

static void add_number(mn_program *p, mn_program_number number)
{
  if (p->numbers < MN_PROGRAM_NUMBERS)
    p->number[p->numbers++] = number;
  else
    p->full = true;
}

void mn_program_real(mn_program *p, const char *name, double value)
{
  add_number(p, (mn_program_number){ .name = name, .value = value });
}

void mn_program_count(mn_program *p, const char *name, size_t value)
{
  add_number(p, (mn_program_number){ .name = name, .value = (double)value, .whole = true });
}

void mn_program_code(mn_program *p, const char *text)
{
  if (p->pieces < MN_PROGRAM_PIECES)
    p->piece[p->pieces++] = text;
  else
    p->full = true;
}

mn_status mn_cannot_export(mn_context *ctx, const mn_estimator *model, const char *reason)
{
  return mn_fail(ctx, MN_BAD_ARGUMENT, "%s cannot be exported: %s", model->class->name, reason);
}

mn_status mn_describe_action(mn_context *ctx, const mn_estimator *model, mn_action action, mn_program *program)
{
  memset(program, 0, sizeof *program);
  if (!model->fitted) return mn_fail(ctx, MN_BAD_ARGUMENT, "%s: call fit before export", model->class->name);
  if (!model->class->export) return mn_cannot_export(ctx, model, "the estimator does not support export");
  MN_TRY(model->class->export(ctx, model, action, program));
  return program->full ? mn_cannot_export(ctx, model, "its program has too many tables, numbers or statements") : MN_OK;
}
