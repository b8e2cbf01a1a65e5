source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
x <- read_npy("X.npy", 784)
set.seed(1)
# The mode whose results do not depend on threads, as ours.
done <- measured(function() uwot::umap(x, min_dist = 0.1, batch = TRUE, n_threads = 1, n_sgd_threads = 1))

# As ml.metrics.trustworthiness, within the first 2,000 rows.
trustworthiness <- function(x, y, k) {
  n <- nrow(x)
  ranks <- function(z) {
    d <- as.matrix(dist(z))
    diag(d) <- -1
    t(apply(d, 1, rank, ties.method = "first")) - 1
  }
  given <- ranks(x)
  near <- ranks(y)
  outside <- near >= 1 & near <= k & given > k
  1 - 2 / (n * k * (2 * n - 3 * k - 1)) * sum(given[outside] - k)
}
first <- seq_len(min(2000, nrow(x)))
report(done$figures, "uwot", sprintf("trustworthiness=%.8g", trustworthiness(x[first, ], done$result[first, ], 15)))
