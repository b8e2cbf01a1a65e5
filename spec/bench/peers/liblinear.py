"""liblinear as Debian's liblinear4 has it, called in this process."""
import ctypes

import numpy as np


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


class Problem(ctypes.Structure):
    _fields_ = [("l", ctypes.c_int), ("n", ctypes.c_int), ("y", ctypes.POINTER(ctypes.c_double)),
                ("x", ctypes.POINTER(ctypes.c_void_p)), ("bias", ctypes.c_double)]


class Parameter(ctypes.Structure):
    _fields_ = [("solver_type", ctypes.c_int), ("eps", ctypes.c_double), ("C", ctypes.c_double),
                ("nr_weight", ctypes.c_int), ("weight_label", ctypes.c_void_p), ("weight", ctypes.c_void_p),
                ("p", ctypes.c_double), ("init_sol", ctypes.c_void_p)]


class Model(ctypes.Structure):
    _fields_ = [("param", Parameter), ("nr_class", ctypes.c_int), ("nr_feature", ctypes.c_int),
                ("w", ctypes.POINTER(ctypes.c_double)), ("label", ctypes.POINTER(ctypes.c_int)),
                ("bias", ctypes.c_double)]


PRINT = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
silent = PRINT(lambda text: None)


def nodes(X):
    """All rows as nodes, index -1 at the end of each, and where each begins."""
    n, size = X.shape[0], np.diff(X.indptr)
    all_nodes = np.zeros(X.nnz + n, dtype=[("index", "<i4"), ("pad", "<i4"), ("value", "<f8")])
    place = np.arange(X.nnz) + np.repeat(np.arange(n), size)
    all_nodes["index"], all_nodes["value"][place] = -1, X.data
    all_nodes["index"][place] = X.indices + 1
    start = all_nodes.ctypes.data + (X.indptr[:-1] + np.arange(n)) * ctypes.sizeof(Node)
    return all_nodes, start.astype(np.uint64)


def trainer(X, y, solver, eps, C):
    """A peer: the coefficients of `train -s solver -e eps -c C`, for y of -1 and 1, and what they borrow."""
    def peer():
        lib = ctypes.CDLL("liblinear.so.4")  # 2.3: later ones have other structures
        lib.train.restype = ctypes.POINTER(Model)
        lib.set_print_string_function(silent)
        all_nodes, start = nodes(X)
        problem = Problem(X.shape[0], X.shape[1], y.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                          start.ctypes.data_as(ctypes.POINTER(ctypes.c_void_p)), -1.0)
        parameter = Parameter(solver, eps, C, 0, None, None, 0.1, None)

        def run():
            model = lib.train(ctypes.byref(problem), ctypes.byref(parameter)).contents
            w = np.ctypeslib.as_array(model.w, (X.shape[1],)).copy()
            return (w if model.label[0] == 1 else -w), (all_nodes, start)
        return ctypes.c_int.in_dll(lib, "liblinear_version").value / 100, run
    return peer
