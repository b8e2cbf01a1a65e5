"""Layered min-sum by the package ldpc, one word at a time, which decodes the syndrome of the hard decisions."""
import measure
import numpy as np


def alist(path):
    """The parity-check matrix of an alist file."""
    import scipy.sparse as sparse
    with open(path) as file:
        numbers = [[int(word) for word in line.split()] for line in file]
    n, m = numbers[0]
    rows, columns = [], []
    for j, checks in enumerate(numbers[4:4 + n]):
        checks = [i - 1 for i in checks if i > 0]
        rows += checks
        columns += [j] * len(checks)
    return sparse.csr_matrix((np.ones(len(rows), dtype=np.uint8), (rows, columns)), shape=(m, n))


def decoder():
    import importlib.metadata
    import ldpc
    h = alist(measure.path("code.alist"))
    llr, words = measure.load("llr.npy"), measure.load("words.npy").astype(np.uint8)
    bits = measure.load("bits.npy").ravel().astype(int) - 1
    bp = ldpc.BpDecoder(h, error_rate=0.1, max_iter=50, bp_method="minimum_sum", ms_scaling_factor=0.75,
                        schedule="serial")
    hard = (llr < 0).astype(np.uint8)
    syndromes = (h @ hard.T % 2).T.astype(np.uint8)
    flips = 1 / (1 + np.exp(np.abs(llr)))

    def run():
        wrong = 0
        for word, first, syndrome, flip in zip(words, hard, syndromes, flips):
            bp.update_channel_probs(flip)
            wrong += np.any((bp.decode(syndrome) ^ first != word)[bits])
        return wrong
    return importlib.metadata.version("ldpc"), run


measure.main({"ldpc": decoder}, lambda wrong: {"wrong_messages": int(wrong)})
