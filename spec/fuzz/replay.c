/* Fuzz targets without libFuzzer: each file as it is; with -damage also each file with each of its bytes changed, and
 * cut everywhere; with -sample, where it is long, every third byte, or fifth, ... What fails aborts, after the name of
 * the file was printed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16, LONG = 1 << 12 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Targets with a mutator of their own name it; here nothing is mutated. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
  (void)data;
  (void)most;
  return size;
}

static void run(const uint8_t *data, size_t size)
{
  uint8_t *exact = malloc(size + 1); /* so that a sanitizer sees what reads behind the end */
  if (!exact) abort();
  memcpy(exact + 1, data, size);
  LLVMFuzzerTestOneInput(exact + 1, size);
  free(exact);
}

/* A step that is odd meets all bytes of the numbers. */
static void damage(uint8_t *data, size_t size, size_t step)
{
  static const uint8_t changes[] = { 0x01, 0x80, 0xff };
  for (size_t at = 0; at < size; at += step)
    for (size_t c = 0; c < sizeof changes; c++) {
      data[at] ^= changes[c];
      run(data, size);
      data[at] ^= changes[c];
    }
  for (size_t cut = 0; cut < size; cut += step) run(data, cut);
}

int main(int argc, char **argv)
{
  static uint8_t data[MOST];
  const int sample = argc > 1 && strcmp(argv[1], "-sample") == 0;
  const int spoil = sample || (argc > 1 && strcmp(argv[1], "-damage") == 0);
  for (int i = 1 + spoil; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) return 2;
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    printf("%s\n", argv[i]);
    fflush(stdout);
    run(data, size);
    if (spoil) damage(data, size, sample ? 1 + 2 * (size / LONG) : 1);
  }
  puts("all of them");
  return 0;
}
