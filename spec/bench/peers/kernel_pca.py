import measure

X = measure.load("X.npy")


def pca(solver):
    def peer():
        import sklearn
        from sklearn.decomposition import KernelPCA
        return sklearn.__version__, lambda: KernelPCA(10, kernel="rbf", gamma=0.05, eigen_solver=solver,
                                                      random_state=1).fit(X).eigenvalues_
    return peer


measure.main({"arpack": pca("arpack"), "randomized": pca("randomized")}, lambda v: {"eigenvalues": v.sum()})
