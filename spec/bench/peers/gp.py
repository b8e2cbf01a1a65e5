import warnings
import measure

warnings.simplefilter("ignore")
X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
WIDE = (1e-5, 1e5)


def kernels():
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    return RBF, ConstantKernel, WhiteKernel


def search():
    import sklearn
    from sklearn.gaussian_process import GaussianProcessRegressor
    rbf, constant, white = kernels()
    kernel = constant(1.0, WIDE) * rbf(1.0, WIDE) + white(0.1, WIDE)
    return sklearn.__version__, lambda: GaussianProcessRegressor(kernel).fit(X, y)


def exact():
    import sklearn
    from sklearn.gaussian_process import GaussianProcessRegressor
    rbf, constant, white = kernels()
    kernel = constant(1.2) * rbf(1.5) + white(0.1)
    model = GaussianProcessRegressor(kernel, optimizer=None)
    return sklearn.__version__, lambda: model.fit(X, y).predict(X[:1000] * 0.9, return_std=True)[1]


def classifier():
    import sklearn
    from sklearn.gaussian_process import GaussianProcessClassifier
    rbf, constant, _ = kernels()
    kernel = constant(1.0, WIDE) * rbf(1.0, WIDE)
    return sklearn.__version__, lambda: GaussianProcessClassifier(kernel).fit(X, y)


def quality(result):
    if hasattr(result, "log_marginal_likelihood_value_"):
        return {"log_likelihood": result.log_marginal_likelihood_value_}
    return {"mean_std": float(((result ** 2 - 0.1).clip(0) ** 0.5).mean())}


measure.main({"search": search, "exact": exact, "classifier": classifier}, quality)
