source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
x <- read_npy("X.npy", 2)
data <- data.frame(a = x[, 1], b = x[, 2], y = read_npy("y.npy", 1)[, 1])
control <- loess.control(surface = peer, statistics = "approximate", trace.hat = "approximate")

done <- measured(function() fitted(loess(y ~ a + b, data, span = 0.03, degree = 2, control = control)))
error <- done$result - sin(6 * data$a) * cos(4 * data$b)
cat(sprintf("BENCH %s version=%s rmse=%.12g\n", done$figures, getRversion(), sqrt(mean(error^2))))
