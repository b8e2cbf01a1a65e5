"""liblinear as Debian has it, and as scikit-learn has it."""
import numpy as np
from sklearn.datasets import load_svmlight_file

import liblinear
import measure

C = 1
X, y = load_svmlight_file(measure.path("rows.svm"), n_features=50000)
X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)


def scikit_learn(tol):
    def peer():
        import sklearn
        from sklearn.linear_model import LogisticRegression

        def run():
            model = LogisticRegression(C=C, l1_ratio=1, solver="liblinear", tol=tol, fit_intercept=False, max_iter=1000)
            return model.fit(X, y).coef_[0], None
        return sklearn.__version__, run
    return peer


def quality(result):
    b, _ = result  # and what liblinear only borrowed
    z = X @ b
    loss = np.maximum(-y * z, 0) + np.log1p(np.exp(-np.abs(z)))
    return {"objective": C * loss.sum() + np.abs(b).sum(), "used": (b != 0).sum()}


measure.main({"library": liblinear.trainer(X, y, 6, 0.01, C), "library-exact": liblinear.trainer(X, y, 6, 1e-4, C),
              "sklearn": scikit_learn(0.01), "sklearn-exact": scikit_learn(1e-4)}, quality)
