#include "named_value.h"
#include <string.h>

/* A mark, the sizes of name and text (NO_TEXT: a number), the name, the text or number. */
enum { MARK = 1 };
#define NO_TEXT ((size_t)-1)

struct head {
  size_t name, text;
};

size_t mn_named_value_size(const mn_named_value *v)
{
  return 1 + sizeof(struct head) + v->name_size + (v->text ? v->text_size : sizeof v->number);
}

static char *put(char *out, const void *bytes, size_t size)
{
  if (size > 0) memcpy(out, bytes, size);
  return out + size;
}

char *mn_named_value_write(const mn_named_value *v, char *out)
{
  const struct head head = { .name = v->name_size, .text = v->text ? v->text_size : NO_TEXT };
  *out = MARK;
  out = put(out + 1, &head, sizeof head);
  out = put(out, v->name, v->name_size);
  return v->text ? put(out, v->text, v->text_size) : put(out, &v->number, sizeof v->number);
}

const char *mn_named_value_read(const char *at, const char *end, mn_named_value *out)
{
  struct head head;
  if ((size_t)(end - at) < 1 + sizeof head || *at != MARK) return NULL;
  memcpy(&head, at + 1, sizeof head);
  at += 1 + sizeof head;
  const bool is_number = head.text == NO_TEXT;
  const size_t left = (size_t)(end - at), rest = is_number ? sizeof out->number : head.text;
  if (head.name > left || rest > left - head.name) return NULL;
  *out = (mn_named_value){ .name = at, .name_size = head.name };
  at += head.name;
  if (is_number) {
    memcpy(&out->number, at, sizeof out->number);
  } else {
    out->text = at;
    out->text_size = head.text;
  }
  return at + rest;
}
