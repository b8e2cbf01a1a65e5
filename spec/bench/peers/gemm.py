import numpy as np

import measure

A, B = measure.load("A.npy"), measure.load("B.npy")


def best(run):
    return measure.repeated(run, 0.5)[1]["seconds"]


def numpy():
    return np.__version__, lambda: A @ B


def timer(run, budget):
    product, figures = measure.repeated(run, budget)
    a, b = A.astype(np.float32), B.astype(np.float32)
    figures["f32"] = best(lambda: a @ b)
    try:
        from threadpoolctl import threadpool_limits
        with threadpool_limits(1):
            figures["f64_one_thread"], figures["f32_one_thread"] = best(run), best(lambda: a @ b)
    except ImportError:
        pass
    return product, figures


def quality(product):
    v = np.random.default_rng(3).standard_normal(len(A))
    pv = product @ v
    return {"error": np.linalg.norm(pv - A @ (B @ v)) / np.linalg.norm(pv)}


measure.main({"numpy": numpy}, quality, timer)
