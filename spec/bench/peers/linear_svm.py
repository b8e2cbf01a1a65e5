"""Linear support vector machines of liblinear as Debian has it: trust-region Newton and dual coordinate descent."""
import sys

import numpy as np
from sklearn.datasets import load_svmlight_file

import liblinear
import measure

C = 1
X, y = load_svmlight_file(measure.path("rows.svm"), n_features=50000)
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)


def quality(result):
    b, _ = result  # and what liblinear only borrowed
    loss = np.maximum(0, 1 - y * (X @ b))
    squared = "squared" in sys.argv[1]
    return {"objective": C * ((loss * loss) if squared else loss).sum() + b @ b / 2}


measure.main({"squared": liblinear.trainer(X, y, 2, 0.01, C), "squared-exact": liblinear.trainer(X, y, 2, 1e-5, C),
              "squared-dual": liblinear.trainer(X, y, 1, 0.1, C), "hinge": liblinear.trainer(X, y, 3, 0.1, C),
              "hinge-exact": liblinear.trainer(X, y, 3, 1e-3, C)}, quality)
