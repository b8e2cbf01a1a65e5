import numpy as np

import measure

with open(measure.path("documents.txt")) as file:
    texts = file.read().splitlines()


def sklearn():
    import sklearn
    from sklearn.feature_extraction.text import TfidfVectorizer

    def run():
        return TfidfVectorizer().fit_transform(texts)
    return sklearn.__version__, run


def quality(out):
    return {"sum": float((out @ np.arange(1, out.shape[1] + 1)).sum())}


measure.main({"sklearn": sklearn}, quality)
