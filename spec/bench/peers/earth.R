source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
suppressMessages(library(earth))
x <- read_npy("X.npy", 10)
y <- read_npy("y.npy", 1)

done <- measured(function() earth(x, y, degree = 2))
report(done$figures, "earth", sprintf("gcv=%.12g terms=%d", done$result$gcv, length(done$result$selected.terms)))
