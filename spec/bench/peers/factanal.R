source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
x <- read_npy("X.npy", 50)
done <- measured(function() factanal(x, 5, rotation = "none"))
report(done$figures, "stats", sprintf("uniqueness=%.8g", sum(done$result$uniquenesses)))
