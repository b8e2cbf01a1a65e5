"""Predictions of XGBoost for exported models.

python3 spec/export/xgboost_predict.py model.json rows.csv ...

Files of rows have no header, and empty fields for missing values. Prints the predictions of each row on a line,
separated by commas. Exits with status 3 if xgboost is not installed.
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
