"""Predictions of XGBoost for models that were exported to it.

python3 spec/export/xgboost_predict.py model.json rows.csv ...

Each file of rows has no header, and an empty field for a missing value. Prints a line for each row: the predictions,
with commas between them. Exits with 3 where xgboost is not there.
"""
import sys

try:
    import numpy as np
    import xgboost
except ImportError:
    sys.exit(3)

for model, rows in zip(sys.argv[1::2], sys.argv[2::2]):
    booster = xgboost.Booster()
    booster.load_model(model)
    X = np.array([[float(v) if v else np.nan for v in line.rstrip("\n").split(",")] for line in open(rows)])
    data = xgboost.DMatrix(X, feature_names=booster.feature_names)
    for row in booster.predict(data).reshape(len(X), -1):
        print(",".join(repr(float(v)) for v in row))
