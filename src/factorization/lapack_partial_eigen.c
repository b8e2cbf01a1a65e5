#include "lapack_partial_eigen.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Parts of the workspace. */
struct parts {
  double *diagonal, *off_diagonal, *tau;   /* n each: the tridiagonal form, and its reflections            */
  double *block_value, *off_diagonal_copy; /* n each: values of the blocks; overwritten copy of `off_diagonal`   */
  double *remaining;                       /* the rest                                                     */
  int remaining_size;
  int *block, *end;    /* n each: block of a value, counted from 1; last row of a block, counted from 1 */
  int *order, *index;  /* n each: places of the values in ascending order; of those with vectors        */
  int *failed, *spare; /* k, n */
};

enum { REALS = 5, INTEGERS = 5 }; /* arrays of n values */

int mn_partial_eigen_work(const mn_partial_eigen *s)
{
  double reduce = 0, rotate = 0, unused = 0;
  const int query = -1;
  int info;
  s->lapack->dsytrd("U", &s->n, &unused, &s->n, &unused, &unused, &unused, &reduce, &query, &info, 1);
  s->lapack->dormtr("L", "U", "N", &s->n, &s->k, &unused, &s->n, &unused, &unused, &s->n, &rotate, &query, &info, 1, 1,
                    1);
  return REALS * s->n + (int)fmax(fmax(reduce, rotate), 5.0 * s->n);
}

size_t mn_partial_eigen_iwork(const mn_partial_eigen *s)
{
  return INTEGERS * (size_t)s->n + (size_t)s->k;
}

static struct parts divide(const mn_partial_eigen *s)
{
  const size_t n = (size_t)s->n;
  double *w = s->work;
  int *i = s->iwork;
  return (struct parts){ .diagonal = w,
                         .off_diagonal = w + n,
                         .tau = w + 2 * n,
                         .block_value = w + 3 * n,
                         .off_diagonal_copy = w + 4 * n,
                         .remaining = w + REALS * n,
                         .remaining_size = s->work_size - REALS * s->n,
                         .block = i,
                         .end = i + n,
                         .order = i + 2 * n,
                         .index = i + 3 * n,
                         .spare = i + 4 * n,
                         .failed = i + INTEGERS * n };
}

/* Whether the squares of the elements are far from overflow and underflow, without which dsytrd loses accuracy. */
static bool is_moderate(const mn_partial_eigen *s)
{
  const size_t n = (size_t)s->n;
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) largest = fmax(largest, fabs(s->a[i * n + j]));
  return largest == 0 || (largest > 1e-100 && largest < 1e100);
}

/* Split the tridiagonal matrix where an element beside the diagonal is negligible, as dstebz does. Returns the number
 * of blocks. */
static int split(const struct parts *p, int n)
{
  int count = 0;
  for (int i = 0; i < n; i++) {
    const double square = i + 1 < n ? p->off_diagonal[i] * p->off_diagonal[i] : 0;
    const double scale = i + 1 < n ? fabs(p->diagonal[i] * p->diagonal[i + 1]) : 0;
    if (square > scale * DBL_EPSILON * DBL_EPSILON / 4 + DBL_MIN) continue;
    p->end[count++] = i + 1;
  }
  return count;
}

/* The values of each block, in p->block_value. */
static bool find_values(const mn_partial_eigen *s, const struct parts *p, int blocks)
{
  memcpy(p->block_value, p->diagonal, (size_t)s->n * sizeof *p->block_value);
  memcpy(p->off_diagonal_copy, p->off_diagonal, (size_t)s->n * sizeof *p->off_diagonal_copy);
  for (int b = 0, begin = 0; b < blocks; begin = p->end[b++]) {
    const int size = p->end[b] - begin;
    int info;
    s->lapack->dsterf(&size, p->block_value + begin, p->off_diagonal_copy + begin, &info);
    if (info != 0) return false;
    for (int i = begin; i < p->end[b]; i++) p->block[i] = b + 1;
  }
  return true;
}

/* Merge the ascending values of the blocks: p->order. Ties are broken by the lowest index. */
static void sort_values(const mn_partial_eigen *s, const struct parts *p, int blocks)
{
  for (int i = 0; i < s->n; i++) p->order[i] = i;
  for (int b = 1; b < blocks; b++) { /* the first b blocks are in order */
    int *merged = p->index, left = 0, right = p->end[b - 1], at = 0;
    while (left < p->end[b - 1] || right < p->end[b]) {
      const bool from_left =
          right == p->end[b] || (left < p->end[b - 1] && p->block_value[p->order[left]] <= p->block_value[right]);
      merged[at++] = from_left ? p->order[left++] : right++;
    }
    memcpy(p->order, merged, (size_t)at * sizeof *merged);
  }
  for (int i = 0; i < s->n; i++) s->values[i] = p->block_value[p->order[i]];
}

/* The wanted values by block, as dstein takes them: p->block_value and p->block are packed to the k of them, p->index
 * says where each goes. */
static void select_values(const mn_partial_eigen *s, const struct parts *p)
{
  const int first = s->largest ? s->n - s->k : 0;
  int kept = 0;
  for (int i = 0; i < s->n; i++) p->spare[p->order[i]] = i - first;
  for (int i = 0; i < s->n; i++) {
    if (p->spare[i] < 0 || p->spare[i] >= s->k) continue;
    p->index[kept] = p->spare[i];
    p->block_value[kept] = p->block_value[i];
    p->block[kept++] = p->block[i];
  }
}

/* Move row i of the vectors to row index[i], along the cycles of the permutation. row: workspace (n). */
static void permute_rows(const mn_partial_eigen *s, int *index, double *row)
{
  const size_t n = (size_t)s->n, bytes = n * sizeof *row;
  for (int i = 0; i < s->k; i++)
    while (index[i] != i) {
      const int to = index[i];
      double *from = s->vectors + (size_t)i * n, *other = s->vectors + (size_t)to * n;
      memcpy(row, other, bytes);
      memcpy(other, from, bytes);
      memcpy(from, row, bytes);
      index[i] = index[to];
      index[to] = to;
    }
}

static bool find_vectors(const mn_partial_eigen *s, const struct parts *p)
{
  int info;
  select_values(s, p);
  s->lapack->dstein(&s->n, p->diagonal, p->off_diagonal, &s->k, p->block_value, p->block, p->end, s->vectors, &s->n,
                    p->remaining, p->spare, p->failed, &info);
  if (info != 0) return false;
  s->lapack->dormtr("L", "U", "N", &s->n, &s->k, s->a, &s->n, p->tau, s->vectors, &s->n, p->remaining,
                    &p->remaining_size, &info, 1, 1, 1);
  permute_rows(s, p->index, p->remaining);
  return info == 0;
}

bool mn_partial_eigen_solve(mn_partial_eigen *s)
{
  const struct parts p = divide(s);
  int info;
  if (!is_moderate(s)) return false;
  s->lapack->dsytrd("U", &s->n, s->a, &s->n, p.diagonal, p.off_diagonal, p.tau, p.remaining, &p.remaining_size, &info,
                    1);
  const int blocks = split(&p, s->n);
  if (info != 0 || !find_values(s, &p, blocks)) return false;
  sort_values(s, &p, blocks);
  return !s->vectors || find_vectors(s, &p);
}
