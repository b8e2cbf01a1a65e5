/* Hashes categories to a few columns that all features share. */
#include "../core/murmur_hash.h"
#include "../model/class.h"
#include "../model/program.h"
#include "../preprocess/own_levels.h"

enum { TEXT_SIZE = 256 };

struct hash_encoder {
  mn_estimator base;
  int64_t n_components; /* parameters */
  bool alternate_sign;
};

static mn_status fit(mn_context *ctx, void *self, const mn_data *data)
{
  (void)ctx, (void)self, (void)data;
  return MN_OK;
}

static size_t outputs(const void *self)
{
  return (size_t)((const struct hash_encoder *)self)->n_components;
}

/* The output column of a category, and the sign of its entry. */
struct place {
  size_t column;
  double value;
};

static struct place place_of(const struct hash_encoder *m, size_t j, mn_label label)
{
  char buffer[TEXT_SIZE];
  const char *text = buffer;
  size_t size;
  struct place place;
  double sign;
  if (label.kind == MN_LABEL_TEXT) {
    text = label.as.text.bytes;
    size = label.as.text.size;
  } else {
    size = strlen(mn_format_label(buffer, sizeof buffer, label));
  }
  place.column = mn_hash_column(mn_murmur_hash(text, size, (uint32_t)j), (size_t)m->n_components, &sign);
  place.value = m->alternate_sign ? sign : 1;
  return place;
}

static mn_label number_label(double x)
{
  if (x == floor(x) && fabs(x) < 0x1p53) return (mn_label){ .kind = MN_LABEL_INTEGER, .as.integer = (int64_t)x };
  return (mn_label){ .kind = MN_LABEL_FLOAT, .as.number = x };
}

static void add_numbers(const struct hash_encoder *m, const mn_data *data, size_t j, size_t begin, size_t end,
                        mn_matrix *out)
{
  for (size_t i = begin; i < end; i++) {
    const double x = mn_row(&data->x, i)[j];
    if (isnan(x)) continue;
    const struct place place = place_of(m, j, number_label(x));
    mn_row(out, i)[place.column] += place.value;
  }
}

/* Add a factor column: the codes and levels of X itself, since categories not seen in fit are hashed too. */
static mn_status add_factor(mn_context *ctx, const struct hash_encoder *m, const mn_data *data, size_t j,
                            mn_matrix *out)
{
  const mn_levels *levels = mn_own_levels(data, j);
  const size_t n = mn_levels_size(levels);
  struct place *place = MN_RAW(ctx, struct place, n, 1);
  MN_CHECK_ALLOC(place);
  for (size_t k = 0; k < n; k++) place[k] = place_of(m, j, mn_levels_at(levels, k));
  for (size_t i = 0; i < data->rows; i++) {
    const double code = mn_own_code(data, i, j);
    if (i % 4096 == 0) MN_TRY(mn_poll(ctx));
    if (!(code >= 0)) continue; /* missing */
    const struct place *own = &place[(size_t)code];
    mn_row(out, i)[own->column] += own->value;
  }
  return MN_OK;
}

static mn_status transform(mn_context *ctx, const void *self, const mn_data *data, mn_matrix *out)
{
  enum { CHUNK = 1024 };
  for (size_t j = 0; j < data->features; j++) {
    if (data->levels && data->levels[j]) {
      MN_TRY(add_factor(ctx, self, data, j, out));
      continue;
    }
    for (size_t i = 0; i < data->rows; i += CHUNK) {
      MN_TRY(mn_poll(ctx));
      add_numbers(self, data, j, i, i + CHUNK < data->rows ? i + CHUNK : data->rows, out);
    }
  }
  return MN_OK;
}

static mn_status export(mn_context *ctx, const void *self, mn_action action, mn_program *program)
{
  (void)action, (void)program;
  return mn_cannot_export(ctx, self, "exported programs see the codes of levels, not the text that is hashed");
}

static const mn_param params[] = {
  MN_COUNT(struct hash_encoder, n_components, 8, MN_CLOSED(1, 1 << 20), "number of output columns"),
  MN_FLAG(struct hash_encoder, alternate_sign, false,
          "add 1 or -1, depending on the hash, so that collisions cancel on average"),
  MN_END,
};

static const mn_field fields[] = { MN_END };

const mn_class mn_hash_encoder = {
  .name = "HashEncoder",
  .family = "preprocess",
  .brief = "Encodes categories by hashing them to a fixed number of columns.",
  .objective = "z_h = number of features j with hash(x_j) = h",
  .source = "Weinberger et al., ICML (2009)",
  .notes = "Nothing is learned, so categories not seen in fit are encoded like any other. The hash is MurmurHash3 of "
           "the category as text, with the 0-based index of the column as seed (category_encoders uses MD5). A "
           "number is hashed as its printed text. A missing value adds nothing.",
  .example = "local X = { {\"red\", 1}, {\"blue\", 2}, {\"red\", 2} }\n"
             "print(ml.HashEncoder{ n_components = 4 }:fit_transform(X))",
  .capabilities = MN_TRANSFORM,
  .accepts = MN_WEIGHTS | MN_MISSING | MN_FACTORS,
  .size = sizeof(struct hash_encoder),
  .params = params,
  .fields = fields,
  .fit = fit,
  .transform = transform,
  .outputs_whole = mn_all_outputs_whole,
  .outputs = outputs,
  .export = export,
};
