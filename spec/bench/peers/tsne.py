import measure

X = measure.load("X.npy")


def sklearn_tsne():
    import sklearn
    from sklearn.manifold import TSNE
    return sklearn.__version__, lambda: TSNE(random_state=1).fit(X).kl_divergence_


def opentsne():
    import openTSNE
    return openTSNE.__version__, lambda: openTSNE.TSNE(negative_gradient_method="fft", n_iter=750, n_jobs=1,
                                                       random_state=1).fit(X).kl_divergence


measure.main({"sklearn": sklearn_tsne, "opentsne": opentsne}, lambda v: {"divergence": v})
