"""Philox4x32-10 and what scrl draws from it, written a second time from the description in
src/base/rng.h and src/kernels/dropout.h, so that PyTorch can start from the same weights and masks."""
import numpy as np

INIT, DROPOUT = 1, 2


def philox(counter, key):
    """counter: (n,4) uint64 holding 32-bit words, key: two 32-bit words -> (n,4) uint64."""
    c0, c1, c2, c3 = (counter[:, i].copy() for i in range(4))
    k0, k1 = key
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p0, p1 = np.uint64(0xD2511F53) * c0, np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = ((p1 >> np.uint64(32)) ^ c1 ^ np.uint64(k0), p1 & low,
                          (p0 >> np.uint64(32)) ^ c3 ^ np.uint64(k1), p0 & low)
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1)


def blocks(seed, purpose, stream, epoch, index):
    index = np.asarray(index, dtype=np.uint64)
    counter = np.stack([index & np.uint64(0xFFFFFFFF), index >> np.uint64(32),
                        np.full_like(index, epoch), np.full_like(index, purpose << 24 | stream)], axis=1)
    return philox(counter, (seed & 0xFFFFFFFF, seed >> 32))


def uniform_weights(seed, stream, rows, cols, bound):
    """Uniform in [-bound, bound] in float32 arithmetic, element i*cols+j from word (i*cols+j) % 4."""
    n = rows * cols
    words = blocks(seed, INIT, stream, 0, np.arange((n + 3) // 4)).reshape(-1)[:n]
    u = (words >> np.uint64(8)).astype(np.float32) * np.float32(2.0 ** -24)
    return (np.float32(bound) * (np.float32(2) * u - np.float32(1))).reshape(rows, cols)


def dropout_mask(seed, site, epoch, rows, cols, p):
    """1/(1-p) where kept, else 0. Groups of 128 columns take 16 counters; 16 columns a half-word."""
    groups = (cols + 127) // 128
    index = np.arange(rows * groups * 16)
    words = blocks(seed, DROPOUT, site, epoch, index).reshape(rows, groups, 16, 4)
    halves = np.stack([words & np.uint64(0xFFFF), words >> np.uint64(16)], axis=-1)  # ..., lane, word, half
    bits = halves.transpose(0, 1, 3, 4, 2).reshape(rows, groups * 128)[:, :cols]     # word, half, lane
    return (bits >= round(p * 65536)) / (1.0 - p)


def kept_rows(seed, site, epoch, rows, p):
    """1 where the uniform number of the row is at least p."""
    words = blocks(seed, DROPOUT, site, epoch, np.arange((rows + 3) // 4)).reshape(-1)[:rows]
    return ((words >> np.uint64(8)).astype(np.float32) * np.float32(2.0 ** -24) >= np.float32(p)).astype(float)


def shuffled(seed, site, epoch, n):
    """Fisher and Yates from the end, one 64-bit number per step."""
    order = list(range(n))
    words = blocks(seed, DROPOUT, site, epoch, np.arange(n))
    for step, i in enumerate(range(n, 1, -1)):
        number = int(words[step, 1]) << 32 | int(words[step, 0])
        j = number * i >> 64
        order[i - 1], order[j] = order[j], order[i - 1]
    return order
