/* How an operation ended: one status for each cause. */
#ifndef MN_CORE_STATUS_H
#define MN_CORE_STATUS_H

typedef enum mn_status {
  MN_OK,           /* also if an iterative fit reached max_iter: see mn_report.converged       */
  MN_BAD_ARGUMENT, /* a parameter or argument is wrong; the text names it                      */
  MN_BAD_DATA,     /* shape, NaN, labels; the text gives row and column, 1-based               */
  MN_SINGULAR,     /* the data do not determine the result; the text says which part           */
  MN_BAD_FILE,     /* the text gives the path, the line or byte, and what is wrong there       */
  MN_NO_MEMORY,    /* the limit or the allocator refused; the model is unchanged               */
  MN_CANCELLED     /* by the progress callback or Ctrl-C; the model is unchanged               */
} mn_status;

/* Return from the function if the call fails. */
#define MN_TRY(call)                                                                                                   \
  do {                                                                                                                 \
    const mn_status mn_try_status_ = (call);                                                                           \
    if (mn_try_status_ != MN_OK) return mn_try_status_;                                                                \
  } while (0)

/* Return from the function if a scratch request failed; its error text is already set. */
#define MN_CHECK_ALLOC(pointer)                                                                                        \
  do {                                                                                                                 \
    if (!(pointer)) return MN_NO_MEMORY;                                                                               \
  } while (0)

#endif
