"""What all Python peers share: data, timing, memory, the line that run.lua reads.

A peer is a function that imports what it needs and gives back (version, run). Imports and reading are not timed.
"""
import os
import sys
import time

import numpy as np


def load(name, flat=False):
    x = np.load(os.path.join(directory(), name))
    return x.ravel() if flat else x


def path(name):
    return os.path.join(directory(), name)


def directory():
    return sys.argv[2]


def rows():
    return int(sys.argv[3])


def memory(kind):
    try:
        with open("/proc/self/status") as f:
            for line in f:
                if line.startswith(kind + ":"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def forget_peak():
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass


def busy():
    try:
        with open("/proc/stat") as f:
            field = [int(v) for v in f.readline().split()[1:9]]
    except OSError:
        return None
    return (sum(field) - field[3] - field[4]) / 100


def repeated(run, budget, most=100):
    forget_peak()
    held, used, own = memory("VmRSS"), busy(), time.process_time()
    begin, best, cpu, count, result = time.perf_counter(), float("inf"), float("inf"), 0, None
    while True:
        result = None
        started, spent = time.perf_counter(), time.process_time()
        result = run()
        best, cpu = min(best, time.perf_counter() - started), min(cpu, time.process_time() - spent)
        count += 1
        if time.perf_counter() - begin >= budget or count >= most:
            break
    elapsed, peak = time.perf_counter() - begin, memory("VmHWM")
    figures = {"seconds": best, "cpu": cpu, "runs": count}
    if held is not None and peak is not None:
        figures["peak"] = max(0.0, peak - held)
    if used is not None:
        figures["others"] = max(0.0, (busy() - used - (time.process_time() - own)) / elapsed)
    return result, figures


def median_call(call, batches=101, calls=50):
    times = []
    for _ in range(batches):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - begin) / calls)
    return sorted(times)[batches // 2]


def report(figures):
    words = []
    for key, value in figures.items():
        text = "%.17g" % value if isinstance(value, (int, float, np.number)) else str(value)
        words.append(key + "=" + "_".join(text.split()))
    print("BENCH " + " ".join(words), flush=True)


def main(peers, quality, timer=repeated):
    """argv: peer, directory, rows, budget"""
    version, run = peers[sys.argv[1]]()
    result, figures = timer(run, float(sys.argv[4]))
    figures["version"] = version
    figures.update(quality(result) or {})
    report(figures)
