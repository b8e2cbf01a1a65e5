# What all R peers share: the arguments (peer, directory, rows, budget), timing, memory, the line that run.lua reads.
arguments <- commandArgs(TRUE)
peer <- arguments[1]
directory <- arguments[2]
budget <- as.numeric(arguments[4])

memory <- function(kind) {
  line <- grep(kind, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
busy <- function() {
  field <- as.numeric(strsplit(readLines("/proc/stat", 1), " +")[[1]][2:9])
  (sum(field) - field[4] - field[5]) / 100
}
own <- function() sum(proc.time()[1:2])

# A matrix from a file of numpy.
read_npy <- function(name, columns) {
  path <- file.path(directory, name)
  source <- file(path, "rb")
  on.exit(close(source))
  start <- readBin(source, "raw", 10)
  head <- as.integer(start[9]) + 256L * as.integer(start[10])
  invisible(readBin(source, "raw", head))
  values <- readBin(source, "double", (file.size(path) - 10 - head) / 8, endian = "little")
  matrix(values, ncol = columns, byrow = TRUE)
}

# run() again and again within the budget: its last result, and figures.
measured <- function(run) {
  invisible(gc())
  try(cat("5", file = "/proc/self/clear_refs"), silent = TRUE)
  held <- memory("VmRSS")
  used <- busy()
  mine <- own()
  begin <- proc.time()[["elapsed"]]
  best <- Inf
  cpu <- Inf
  count <- 0
  repeat {
    result <- NULL
    invisible(gc())
    started <- Sys.time()
    spent <- own()
    result <- run()
    best <- min(best, as.numeric(difftime(Sys.time(), started, units = "secs")))
    cpu <- min(cpu, own() - spent)
    count <- count + 1
    if (proc.time()[["elapsed"]] - begin >= budget) break
  }
  elapsed <- proc.time()[["elapsed"]] - begin
  others <- max(0, (busy() - used - (own() - mine)) / elapsed)
  peak <- memory("VmHWM") - held
  list(result = result, figures = sprintf("seconds=%.17g cpu=%.6g runs=%d peak=%.6g others=%.3g", best, cpu, count,
                                          peak, others))
}

report <- function(figures, package, quality) {
  cat(sprintf("BENCH %s version=%s %s\n", figures, as.character(packageVersion(package)), quality))
}
