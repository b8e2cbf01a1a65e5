source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))), "measure.R"))
library(rpart)
COLS <- 20
x <- read_npy("X.npy", COLS)
y <- factor(read_npy("y.npy", 1)[, 1])
n <- (9 * nrow(x)) %/% 10
data <- data.frame(x, y = y)
train <- data[seq_len(n), ]
test <- data[-seq_len(n), ]
depth <- if (peer == "full") 30 else 10 # rpart counts no further than 30
control <- rpart.control(minsplit = 2, minbucket = 1, cp = 0, xval = 0, maxcompete = 0, maxsurrogate = 0,
                         maxdepth = depth)

done <- measured(function() rpart(y ~ ., train, method = "class", control = control))
report(done$figures, "rpart", sprintf("accuracy=%.6g", mean(predict(done$result, test, type = "class") == test$y)))
