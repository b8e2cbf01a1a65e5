import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True).astype(np.int64)


def validation(jobs, **options):
    def peer():
        import sklearn
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import cross_validate
        model = LogisticRegression(**options)
        return sklearn.__version__, lambda: cross_validate(model, X, y, cv=5, n_jobs=jobs,
                                                           scoring=["neg_log_loss", "accuracy"])
    return peer


def grid(jobs):
    def peer():
        import sklearn
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        values = {"logisticregression__C": np.logspace(-4, 4, 100)}
        return sklearn.__version__, lambda: GridSearchCV(model, values, cv=5, n_jobs=jobs).fit(X, y)
    return peer


def quality(result):
    if hasattr(result, "best_score_"):
        return {"accuracy": result.best_score_}
    return {"log_loss": -result["test_neg_log_loss"].mean(), "accuracy": result["test_accuracy"].mean()}


measure.main({"lbfgs": validation(1, max_iter=1000), "lbfgs_2": validation(2, max_iter=1000),
              "newton": validation(1, solver="newton-cholesky"), "grid": grid(1), "grid_2": grid(2)}, quality)
