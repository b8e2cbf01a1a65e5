import os

import numpy as np

import measure

FLOATS, FILE = 14, measure.path("data.csv")


def polars():
    import polars as pl
    return pl.__version__, lambda: pl.read_csv(FILE)


def duckdb():
    import duckdb as db

    def run():
        connection = db.connect()
        if "BENCH_THREADS" in os.environ:
            connection.execute("set threads to " + os.environ["BENCH_THREADS"])
        connection.execute("create table t as select * from read_csv('%s')" % FILE)
        return connection
    return db.__version__, run


def pandas(**options):
    def peer():
        import pandas as pd
        return pd.__version__, lambda: pd.read_csv(FILE, **options)
    return peer


def column(table, name):
    if hasattr(table, "execute"):
        return table.execute("select %s from t" % name).fetchnumpy()[name]
    return np.asarray(table[name])


def quality(table):
    truth = measure.load("floats.npy")
    wrong = sum(int((column(table, "x%d" % (j + 1)) != truth[:, j]).sum()) for j in range(FLOATS))
    return {"wrong_doubles": wrong, "MB": os.path.getsize(FILE) / 1e6}


measure.main({"polars": polars, "duckdb": duckdb, "pandas": pandas(),
              "round_trip": pandas(float_precision="round_trip")}, quality)
