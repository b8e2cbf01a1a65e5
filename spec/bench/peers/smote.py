import measure

X, Y = measure.load("X.npy"), measure.load("y.npy", flat=True)


def imblearn():
    import imblearn as library
    from imblearn.over_sampling import SMOTE
    return library.__version__, lambda: SMOTE(random_state=0).fit_resample(X, Y)[0]


def quality(out):
    return {"rows": len(out), "std": float(out[len(X):].std(axis=0).mean())}


measure.main({"imblearn": imblearn}, quality)
