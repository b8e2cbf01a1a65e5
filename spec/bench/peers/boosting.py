import os

import numpy as np

import measure

KIND, PEER = __import__("sys").argv[1].split("_", 1)
X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
XT, YT = measure.load("test_X.npy"), measure.load("test_y.npy", flat=True)
THREADS = int(os.environ.get("BENCH_THREADS", os.cpu_count()))
REGRESSION = KIND == "regression"
# Of k classes XGBoost (and we) take 2 p (1 - p) for curvature, LightGBM k / (k - 1) of p (1 - p), scikit-learn one: for
# steps of the same length, and so for the same quality, their rates are in these shares.
RATE = {"lightgbm": 0.1 * 7 / 12, "sklearn": 0.1 / 2} if KIND == "classes" else {"lightgbm": 0.1, "sklearn": 0.1}


def xgboost():
    import xgboost
    new = xgboost.XGBRegressor if REGRESSION else xgboost.XGBClassifier
    model = new(n_estimators=100, max_leaves=31, max_depth=0, grow_policy="lossguide", max_bin=255, learning_rate=0.1,
                reg_lambda=1, min_child_weight=1, tree_method="hist", n_jobs=THREADS)
    return xgboost.__version__, model


def lightgbm(**options):
    import lightgbm
    new = lightgbm.LGBMRegressor if REGRESSION else lightgbm.LGBMClassifier
    model = new(n_estimators=100, num_leaves=31, max_bin=255, learning_rate=RATE["lightgbm"], reg_lambda=1,
                min_child_samples=1, min_child_weight=1, n_jobs=THREADS, verbose=-1, **options)
    return lightgbm.__version__, model


def sklearn():
    import sklearn
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    new = HistGradientBoostingRegressor if REGRESSION else HistGradientBoostingClassifier
    return sklearn.__version__, new(learning_rate=RATE["sklearn"], early_stopping=False, l2_regularization=1,
                                    min_samples_leaf=1)


MODELS = {"xgboost": xgboost, "lightgbm": lightgbm, "sklearn": sklearn,
          "lightgbm_quantised": lambda: lightgbm(use_quantized_grad=True)}


def fitting():
    version, model = MODELS[PEER]()
    code = y if REGRESSION else y.astype(np.int64)
    return version, lambda: model.fit(X, code)


def predicting():
    version, model = MODELS[PEER]()
    model.fit(X[:100000], y[:100000].astype(np.int64))
    raw = {"xgboost": lambda: model.predict(X, output_margin=True), "lightgbm": lambda: model.predict(X, raw_score=True),
           "sklearn": lambda: model.decision_function(X)}
    return version, raw[PEER]


def quality(model):
    if KIND == "predict":
        return {}
    if REGRESSION:
        return {"test_loss": np.mean((model.predict(XT) - YT) ** 2)}
    p = model.predict_proba(XT)
    return {"test_loss": -np.mean(np.log(p[np.arange(len(YT)), YT.astype(np.int64)]))}


measure.main({KIND + "_" + PEER: predicting if KIND == "predict" else fitting}, quality)
