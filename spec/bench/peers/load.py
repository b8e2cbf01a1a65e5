"""Seconds of `import` in a fresh interpreter above those of an empty one."""
import os
import subprocess
import sys
import time

import measure

IMPORTS = {"numpy": "import numpy", "sklearn": "import sklearn.linear_model", "polars": "import polars"}
SHOW = "\nprint([line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')][0])"


def start(code):
    best = float("inf")
    for _ in range(8):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, time.perf_counter() - begin)
    peak = None
    if os.path.exists("/proc/self/status"):
        peak = int(subprocess.run([sys.executable, "-c", code + SHOW], capture_output=True, check=True).stdout) / 1024
    return best, peak


def timer(code, _):
    (empty, held), (full, peak) = start("pass"), start(code)
    figures = {"seconds": full - empty, "runs": 8}
    if peak is not None:
        figures["peak"] = peak - held
    return None, figures


def peer(name):
    def make():
        module = __import__(name)
        return module.__version__, IMPORTS[name]
    return make


measure.main({name: peer(name) for name in IMPORTS}, lambda _: {}, timer)
