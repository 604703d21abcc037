"""Asks Honest Epsilon from Python: the epsilon of a DP-SGD run, for the batches that were drawn.

One file, no native code, nothing to install but Node for the answers. Put it beside your program, or
download it from the page.

    import honest_epsilon as he

    run = he.phase(sampler="shuffle", noise_multiplier=1.1, dataset_size=60000, batch_size=256,
                   epochs=10)
    answer = he.epsilon([run], delta=1e-5)     # a dict, as the command's --json prints it
    answer["epsilon"]["upper"]

Without Node, or where the command is not found, NotFound is raised; its text holds the page's link
for the same run. With Opacus 1.5 or later, `register_with_opacus()` adds the accountant
"honest_epsilon" to those that PrivacyEngine(accountant=...) takes.
"""

import json
import os
import shutil
import subprocess
from urllib.parse import quote

#: Where the command is: the variable HONEST_EPSILON, else beside this file, else on the PATH.
COMMAND = os.environ.get("HONEST_EPSILON")

#: Where the page is, for links; the variable HONEST_EPSILON_PAGE.
PAGE = os.environ.get("HONEST_EPSILON_PAGE", "")


class NotFound(RuntimeError):
    """The command, or Node, is not here."""


class BadQuestion(ValueError):
    """What the command says is wrong with a question; `field` and `code` name it."""

    def __init__(self, error):
        super().__init__(error.get("text", "the question was refused"))
        self.field = error.get("field", "")
        self.code = error.get("code", "")


def _camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _kebab(name):
    return "".join("-" + c.lower() if c.isupper() else c for c in name)


def phase(**fields):
    """A stretch of training; names as the command's flags, with underscores."""
    return {_camel(name): value for name, value in fields.items() if value is not None}


def release(**fields):
    """Another release on the same budget: epsilon (and delta), mu, or rho."""
    return phase(**fields)


def query(question, phases, **fields):
    """A question as the command reads it."""
    return {"question": question, "phases": list(phases), **phase(**fields)}


def link(asked, page=None):
    """The page's address for a question about one stretch of training."""
    entries = [entry for entry in asked["phases"] if "noiseMultiplier" in entry]
    if len(asked["phases"]) != 1 or len(entries) != 1:
        return PAGE if page is None else page
    told = dict(entries[0])
    if "stepsPerEpoch" in told:
        per_epoch = told.pop("stepsPerEpoch")
        told["samplingProbability"] = "1/%s" % per_epoch
        told["steps"] = per_epoch * told.pop("epochs", 1)
    told["by"] = "counts" if "batchSize" in told else "steps"
    told.update({name: asked[name] for name in ("delta", "epsilon") if name in asked})
    parts = ["%s=%s" % (_kebab(name), quote(_text(value), safe="/")) for name, value in told.items()]
    return "%s#v1,%s" % (PAGE if page is None else page, ",".join(parts))


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _command():
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, name) for name in ("honest-epsilon.js", "node/honest-epsilon.js")]
    found = [COMMAND] if COMMAND else [path for path in beside if os.path.exists(path)]
    if found:
        node = shutil.which("node")
        return [node, found[0]] if node and os.path.exists(found[0]) else None
    on_path = shutil.which("honest-epsilon")
    return [on_path] if on_path else None


def ask(asked):
    """The answer to a question, as a dict; BadQuestion if it is refused."""
    command = _command()
    if command is None:
        raise NotFound(
            "Node, or the command honest-epsilon, was not found: set HONEST_EPSILON to the path of "
            "dist/node/honest-epsilon.js. The same run on the page: " + link(asked)
        )
    done = subprocess.run(
        command + ["batch"], input=json.dumps(asked) + "\n", capture_output=True, text=True
    )
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(done.stderr.strip() or "the command printed no answer") from None
    if isinstance(answer, dict) and "error" in answer:
        raise BadQuestion(answer["error"])
    return answer


def epsilon(phases, delta, **fields):
    """What is proved about epsilon at delta."""
    return ask(query("epsilon", phases, delta=delta, **fields))


def delta(phases, epsilon, **fields):
    """What is proved about delta at epsilon."""
    return ask(query("delta", phases, epsilon=epsilon, **fields))


class HonestEpsilonAccountant:
    """An accountant for Opacus: Poisson batches, since its history says no more of them.

    `sampler` tells how batches were really drawn; another one than "poisson" needs a sample rate
    that makes whole batches.
    """

    sampler = "poisson"

    def __init__(self):
        self.history = []

    def step(self, *, noise_multiplier, sample_rate):
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            self.history[-1] = (noise_multiplier, sample_rate, self.history[-1][2] + 1)
        else:
            self.history.append((noise_multiplier, sample_rate, 1))

    def phases(self):
        """The history as stretches of training."""
        return [
            phase(sampler=self.sampler, noise_multiplier=noise, sampling_probability=rate, steps=steps)
            for noise, rate, steps in self.history
        ]

    def get_epsilon(self, delta, **_):
        """The proved upper end, in whichever direction is worse; 0 before the first step."""
        if not self.history:
            return 0.0
        upper = epsilon(self.phases(), delta)["epsilon"]["upper"]
        return float("inf") if upper is None else upper

    @classmethod
    def mechanism(cls):
        return "honest_epsilon"

    def __len__(self):
        return sum(steps for _, _, steps in self.history)


def register_with_opacus(sampler="poisson"):
    """Adds the accountant to Opacus's list, and returns its class."""
    from opacus.accountants import IAccountant
    from opacus.accountants.registry import register_accountant

    class Accountant(HonestEpsilonAccountant, IAccountant):
        pass

    Accountant.sampler = sampler
    register_accountant(Accountant.mechanism(), Accountant, force=True)
    return Accountant
