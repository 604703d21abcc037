"""Each sampler as a few lines of the standard library: what "implemented as stated" means.

They are for reading and for comparing with, and draw from the system's generator, as privacy asks. A report
prints the one that it needs, called `batches`, with the lines before the first function.
"""

import random

rng = random.SystemRandom()


def cut(batch, most):
    """Randomly reduces a batch larger than `most`."""
    return batch if len(batch) <= most else rng.sample(batch, most)


def cut_up(order, size, drop_last):
    """Batches of `size` in order; the last may be short, or is dropped."""
    end = len(order) - len(order) % size if drop_last else len(order)
    for start in range(0, end, size):
        yield order[start : start + size]


def deterministic(n, size, epochs, drop_last):
    """Every epoch uses the same batches in the same order."""
    for _ in range(epochs):
        yield from cut_up(list(range(n)), size, drop_last)


def shuffle(n, size, epochs, drop_last, redrawn):
    """The records are permuted at random and cut into batches."""
    order = list(range(n))
    for epoch in range(epochs):
        if redrawn or epoch == 0:
            rng.shuffle(order)
        yield from cut_up(order, size, drop_last)


def balls_and_bins(n, steps_per_epoch, epochs, participations, redrawn):
    """Each record joins `participations` batches per epoch, independently."""
    for epoch in range(epochs):
        if redrawn or epoch == 0:
            bins = [[] for _ in range(steps_per_epoch)]
            for record in range(n):
                for chosen in rng.sample(bins, participations):
                    chosen.append(record)
        yield from bins


def poisson(n, q, steps):
    """Each record joins each batch independently with probability q."""
    for _ in range(steps):
        yield [record for record in range(n) if rng.random() < q]


def without_replacement(n, size, steps):
    """Every step takes a new random subset of `size` records."""
    for _ in range(steps):
        yield rng.sample(range(n), size)


def with_replacement(n, size, steps):
    """Every place of a batch samples from all records."""
    for _ in range(steps):
        yield rng.choices(range(n), k=size)
