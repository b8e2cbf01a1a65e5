source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
FLOATS <- 14
suppressMessages(library(data.table))
setDTthreads(as.integer(Sys.getenv("BENCH_THREADS", "0")))
file_name <- file.path(directory, "data.csv")

done <- measured(function() fread(file_name, showProgress = FALSE, nThread = getDTthreads()))
truth <- read_npy("floats.npy", FLOATS)
wrong <- 0
for (j in seq_len(FLOATS)) wrong <- wrong + sum(done$result[[j]] != truth[, j])
report(done$figures, "data.table", sprintf("wrong_doubles=%d MB=%.6g", as.integer(wrong), file.size(file_name) / 1e6))
