"""Times Google's dp_accounting, where it is installed, on questions of `npm run bench -- peers`.

Reads a JSON list of {sigma, q, steps, delta, interval} from standard input; writes
{"version", "answers": [{"seconds", "lower", "upper"}]}. The upper end is the default estimate, whose
seconds are given; the lower end is the optimistic one of the same interval.
"""

import importlib.metadata
import json
import sys
import time

from dp_accounting.pld import privacy_loss_distribution as pld


def epsilon(asked, pessimistic):
    one = pld.from_gaussian_mechanism(
        asked["sigma"],
        pessimistic_estimate=pessimistic,
        value_discretization_interval=asked["interval"],
        sampling_prob=asked["q"],
        use_connect_dots=pessimistic,
    )
    return one.self_compose(asked["steps"]).get_epsilon_for_delta(asked["delta"])


def timed(asked):
    start = time.perf_counter()
    upper = epsilon(asked, True)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "lower": epsilon(asked, False), "upper": upper}


print(
    json.dumps(
        {
            "version": importlib.metadata.version("dp-accounting"),
            "answers": [timed(asked) for asked in json.load(sys.stdin)],
        }
    )
)
