/* How an operation ended: one status for each cause. */
#ifndef MN_CORE_STATUS_H
#define MN_CORE_STATUS_H

typedef enum mn_status {
  MN_OK,           /* also when an iterative fit stopped early: see mn_report.converged */
  MN_BAD_ARGUMENT, /* a parameter or argument is wrong; the text names it               */
  MN_BAD_DATA,     /* shapes, NaN, labels: the text gives row and column, 1-based       */
  MN_SINGULAR,     /* the data do not determine the answer; the text says which part    */
  MN_BAD_FILE,     /* path, then line or byte, then what is wrong there                 */
  MN_NO_MEMORY,    /* the limit or the allocator said no; the model is as it was        */
  MN_CANCELLED     /* progress callback or Ctrl-C; the model is as it was               */
} mn_status;

#define MN_TRY(call)                                                                                                   \
  do {                                                                                                                 \
    const mn_status mn_try_status_ = (call);                                                                           \
    if (mn_try_status_ != MN_OK) return mn_try_status_;                                                                \
  } while (0)

/* The value of a scratch request, or leave: the text is already set. */
#define MN_CHECK_ALLOC(pointer)                                                                                        \
  do {                                                                                                                 \
    if (!(pointer)) return MN_NO_MEMORY;                                                                               \
  } while (0)

#endif
