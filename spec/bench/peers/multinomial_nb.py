import numpy as np
from sklearn.datasets import load_svmlight_file

import measure

X, y = load_svmlight_file(measure.path("rows.svm"), n_features=50000)


def sklearn():
    import sklearn
    from sklearn.naive_bayes import MultinomialNB
    return sklearn.__version__, lambda: MultinomialNB().fit(X, y).predict_log_proba(X)


def quality(log_proba):
    return {"logloss": -log_proba[np.arange(len(y)), (y > 0).astype(int)].mean()}


measure.main({"sklearn": sklearn}, quality)
