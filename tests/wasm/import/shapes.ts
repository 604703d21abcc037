/** Shapes in which runs are written down, in the wild, each with the run that it is. */

import type { Phase, Release } from '../../../wasm/generated/schema.js';

export interface Shape {
  name: string;
  text: string;
  /** The run as it really is; nothing where the text must be refused or asked about. */
  phases?: readonly (Phase | Release)[];
  delta?: number;
  epsilon?: number;
  /** What the text does not say. */
  missing?: readonly string[];
  /** Words that every refusal, or question back, has. */
  says?: RegExp;
  /** Words of what may change the answer. */
  dangerous?: RegExp;
}

const mnist = { noiseMultiplier: 1.1, datasetSize: 60000, batchSize: 256, epochs: 60 };

export const shapes: readonly Shape[] = [
  {
    name: 'Opacus: the history that an accountant prints',
    text: '[(1.1, 0.004266666666666667, 2350)]',
    phases: [{ noiseMultiplier: 1.1, samplingProbability: 0.004266666666666667, steps: 2350 }],
  },
  {
    name: 'Opacus: state_dict() of a run whose noise was lowered',
    text: "{'history': [(1.3, 0.01, 500), (0.9, 0.01, 1_500)], 'mechanism': 'prv'}",
    phases: [
      { noiseMultiplier: 1.3, samplingProbability: 0.01, steps: 500 },
      { noiseMultiplier: 0.9, samplingProbability: 0.01, steps: 1500 },
    ],
  },
  {
    name: 'Opacus: a checkpoint saved as JSON',
    text: '{"epoch": 12, "accountant": {"history": [[0.8, 0.0021333, 5640]], "mechanism": "rdp"}, "delta": 1e-6}',
    phases: [{ noiseMultiplier: 0.8, samplingProbability: 0.0021333, steps: 5640 }],
    delta: 1e-6,
  },
  {
    name: 'Opacus: an ordered dictionary of NumPy numbers',
    text: "OrderedDict([('history', [(np.float64(0.75), np.float64(0.02), 300)]), ('mechanism', 'gdp')])",
    phases: [{ noiseMultiplier: 0.75, samplingProbability: 0.02, steps: 300 }],
  },
  {
    name: 'Opacus: a script with argparse, its defaults handed on',
    text: `"""Trains a small CNN with sigma = 9 in old versions of this file."""
import argparse
import torch
from opacus import PrivacyEngine

def main():
    parser = argparse.ArgumentParser(description="DP training")
    parser.add_argument("-b", "--batch-size", type=int, default=256, metavar="B", help="e.g. 64")
    parser.add_argument("--test-batch-size", type=int, default=1024)
    parser.add_argument("-n", "--epochs", type=int, default=60, help="number of epochs (default: 14)")
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--sigma", type=float, default=1.1, help="noise multiplier")
    parser.add_argument("-c", "--max-per-sample-grad-norm", type=float, default=1.0)
    parser.add_argument("--delta", type=float, default=1e-5)
    parser.add_argument("--num-train-samples", type=int, default=60000)
    parser.add_argument("--disable-dp", action="store_true", default=False)
    args = parser.parse_args()
    train_loader = torch.utils.data.DataLoader(train, batch_size=args.batch_size, num_workers=4)
    if not args.disable_dp:
        engine = PrivacyEngine()
        model, optimizer, train_loader = engine.make_private(
            module=model, optimizer=optimizer, data_loader=train_loader,
            noise_multiplier=args.sigma, max_grad_norm=args.max_per_sample_grad_norm)
    for epoch in range(1, args.epochs + 1):
        train(args, model, epoch)

if __name__ == "__main__":
    main()
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'Opacus: make_private_with_epsilon, whose noise is to be found',
    text: `EPOCHS = 20
BATCH_SIZE = 512
TARGET_DELTA = 1 / 50000
model, optimizer, loader = engine.make_private_with_epsilon(
    module=model, optimizer=optimizer, data_loader=loader,
    target_epsilon=4.0, target_delta=TARGET_DELTA, epochs=EPOCHS, max_grad_norm=1.2)
`,
    phases: [{ batchSize: 512, epochs: 20 }],
    delta: 2e-5,
    epsilon: 4,
    missing: ['datasetSize'],
  },
  {
    name: 'Opacus: steps of an accountant in a loop',
    text: `accountant = RDPAccountant()
for epoch in range(10):
    for batch in range(200):
        accountant.step(noise_multiplier=1.2, sample_rate=0.005)
print(accountant.get_epsilon(delta=1e-6))
`,
    phases: [{ noiseMultiplier: 1.2, samplingProbability: 0.005, steps: 2000 }],
    delta: 1e-6,
  },
  {
    name: 'Opacus: get_noise_multiplier',
    text: 'sigma = get_noise_multiplier(target_epsilon=3.0, target_delta=1e-6, sample_rate=256/51200, epochs=15)',
    phases: [{ samplingProbability: 0.005, epochs: 15 }],
    delta: 1e-6,
    epsilon: 3,
  },
  {
    name: 'dp_accounting: the repr of Poisson steps',
    text: 'SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.0042, event=GaussianDpEvent(noise_multiplier=1.1)), count=14062)',
    phases: [{ noiseMultiplier: 1.1, samplingProbability: 0.0042, steps: 14062 }],
  },
  {
    name: 'dp_accounting: events by name, composed in a script',
    text: `from dp_accounting import dp_event
q = 256 / 60000
step = dp_event.PoissonSampledDpEvent(q, dp_event.GaussianDpEvent(1.1))
accountant = dp_accounting.pld.PLDAccountant()
accountant.compose(step, 14063)
print(accountant.get_epsilon(target_delta=1e-5))
`,
    phases: [{ noiseMultiplier: 1.1, samplingProbability: 256 / 60000, steps: 14063 }],
    delta: 1e-5,
  },
  {
    name: 'dp_accounting: parts composed beside other releases',
    text: `ComposedDpEvent(events=[
      PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.0)),
      SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 99),
      SelfComposedDpEvent(ZCDpEvent(rho=0.01), 3), NoOpDpEvent(), EpsilonDeltaDpEvent(epsilon=0.1, delta=0)])`,
    phases: [
      { noiseMultiplier: 1, samplingProbability: 0.01, steps: 100 },
      { rho: 0.03 },
      { epsilon: 0.1, delta: 0 },
    ],
  },
  {
    name: 'dp_accounting: batches of fixed size',
    text: 'SelfComposedDpEvent(SampledWithoutReplacementDpEvent(source_dataset_size=50000, sample_size=500, event=GaussianDpEvent(2.5)), count=1000)',
    phases: [{ noiseMultiplier: 2.5, datasetSize: 50000, batchSize: 500, steps: 1000 }],
  },
  {
    name: 'dp_accounting: batches sampled with replacement',
    text: 'SelfComposedDpEvent(SampledWithReplacementDpEvent(1000, 10, GaussianDpEvent(1.0)), 50)',
    phases: [
      { noiseMultiplier: 1, datasetSize: 1000, batchSize: 10, steps: 50, replacement: true },
    ],
  },
  {
    name: 'dp_accounting: truncated batches, over no whole number of epochs',
    text: 'SelfComposedDpEvent(TruncatedSubsampledGaussianDpEvent(dataset_size=10000, sampling_probability=0.01, truncated_batch_size=140, noise_multiplier=0.8), 505)',
    phases: [
      { noiseMultiplier: 0.8, datasetSize: 10000, batchSize: 100, steps: 505, maxBatchSize: 140 },
    ],
  },
  {
    name: 'dp_accounting: random allocation',
    text: 'SelfComposedDpEvent(RandomAllocationDpEvent(event=GaussianDpEvent(2.0), num_selected=2, num_steps=100), 5)',
    phases: [{ noiseMultiplier: 2, stepsPerEpoch: 100, epochs: 5, participations: 2 }],
  },
  {
    name: 'dp_accounting: the best of several runs',
    text: 'RepeatAndSelectDpEvent(event=SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 100), mean=10, shape=1)',
    phases: [{ noiseMultiplier: 1, samplingProbability: 0.01, steps: 100 }],
  },
  {
    name: 'dp_accounting: adaptive clipping, whose count is noised beside the sum',
    text: 'SelfComposedDpEvent(PoissonSampledDpEvent(0.1, ComposedDpEvent([GaussianDpEvent(1.0), GaussianDpEvent(20.0)])), 30)',
    phases: [{ noiseMultiplier: 1, samplingProbability: 0.1, steps: 30, countNoise: 10 }],
  },
  {
    name: 'dp_accounting: a mechanism that is not accounted for',
    text: 'SelfComposedDpEvent(DiscreteGaussianDpEvent(noise_multiplier=1.0), 10)',
    says: /DiscreteGaussianDpEvent is not accounted for/,
  },
  {
    name: 'TensorFlow Privacy: a call by position',
    text: 'compute_dp_sgd_privacy(60000, 256, 1.1, 60, 1e-5)',
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'TensorFlow Privacy: the statement, which takes microbatches for granted',
    text: `from tensorflow_privacy import compute_dp_sgd_privacy_statement
print(compute_dp_sgd_privacy_statement(number_of_examples=60000, batch_size=256, num_epochs=60,
      noise_multiplier=1.1, delta=1e-5))
statement = compute_dp_sgd_privacy_statement(number_of_examples=60000, batch_size=256, num_epochs=60,
      noise_multiplier=1.1, delta=1e-5)
`,
    phases: [{ ...mnist, noiseMultiplier: 0.55 }],
    delta: 1e-5,
  },
  {
    name: 'TensorFlow Privacy: the statement that it prints',
    text: `DP-SGD performed over 50000 examples with 64 examples per iteration, noise
multiplier 2.0 for 5 epochs without microbatching, and no bound on number of
examples per user.

Example-level DP with add-or-remove-one adjacency at delta = 1e-06 computed with
RDP accounting:

    Epsilon with each example occurring once per epoch:    12.595
    Epsilon assuming Poisson sampling (*):                  1.199
`,
    phases: [{ noiseMultiplier: 2, datasetSize: 50000, batchSize: 64, epochs: 5 }],
    delta: 1e-6,
  },
  {
    name: 'TensorFlow Privacy: the line that older versions print',
    text: 'DP-SGD with sampling rate = 0.427% and noise_multiplier = 1.1 iterated over 14063 steps satisfies differential privacy with eps = 2.92 and delta = 1e-05.',
    phases: [{ noiseMultiplier: 1.1, samplingProbability: 0.00427, steps: 14063 }],
    delta: 1e-5,
    epsilon: 2.92,
  },
  {
    name: 'TensorFlow Privacy: a Keras script, one record in each microbatch',
    text: `import tensorflow_privacy as tfp
train_size = 60000
batch_size = 250
epochs = 15
optimizer = tfp.DPKerasSGDOptimizer(l2_norm_clip=1.5, noise_multiplier=1.3, num_microbatches=250, learning_rate=0.25)
model.compile(optimizer=optimizer, loss=loss)
model.fit(x, y, epochs=epochs, validation_data=(x_test, y_test), batch_size=batch_size)
`,
    phases: [{ noiseMultiplier: 1.3, datasetSize: 60000, batchSize: 250, epochs: 15 }],
  },
  {
    name: 'Hugging Face: training arguments on two GPUs',
    text: `{"output_dir": "out", "per_device_train_batch_size": 8, "per_device_eval_batch_size": 64,
 "gradient_accumulation_steps": 32, "num_train_epochs": 3.0, "max_steps": -1, "learning_rate": 0.0005,
 "dataloader_drop_last": true, "_n_gpu": 2, "seed": 42, "train_batch_size": 16, "run_name": null,
 "logging_steps": 10, "warmup_steps": 500, "adam_epsilon": 1e-08}`,
    phases: [{ batchSize: 8, accumulationSteps: 32, devices: 2, epochs: 3, dropLast: true }],
    missing: ['datasetSize', 'noiseMultiplier'],
  },
  {
    name: 'Hugging Face: steps that overrule epochs, privacy arguments beside them',
    text: `{"per_device_train_batch_size": 64, "num_train_epochs": 3, "max_steps": 1200,
 "privacy": {"noise_multiplier": 0.6, "target_delta": 1e-6, "per_sample_max_grad_norm": 1.0}, "dataset_size": 67349}`,
    phases: [{ noiseMultiplier: 0.6, datasetSize: 67349, batchSize: 64, steps: 1200 }],
    delta: 1e-6,
  },
  {
    name: 'DeepSpeed: a batch and its factors',
    text: `{"train_batch_size": 256, "train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 8,
 "num_gpus": 4, "noise_multiplier": 0.9, "num_examples": 100000, "steps": 4000, "fp16": {"enabled": true}}`,
    phases: [
      {
        ...{ noiseMultiplier: 0.9, datasetSize: 100000, steps: 4000 },
        ...{ batchSize: 8, accumulationSteps: 8, devices: 4 },
      },
    ],
  },
  {
    name: 'Lightning: YAML with headings',
    text: `# training
trainer:
  max_epochs: 40
  accumulate_grad_batches: 4
  callbacks:
    - early_stopping
data:
  batch_size: 128
  num_train_examples: 45000
  num_workers: 4
dp:
  noise_multiplier: 1.5   # of the sum
  delta: 1e-5
optimizer:
  name: adam
  eps: 1e-8
`,
    phases: [
      {
        ...{ noiseMultiplier: 1.5, datasetSize: 45000, batchSize: 128 },
        ...{ accumulationSteps: 4, epochs: 40 },
      },
    ],
    delta: 1e-5,
  },
  {
    name: 'Hydra: YAML whose names stand under headings and lists',
    text: `defaults:
  - model: resnet
  - _self_
seed: 3
train:
  steps: 5000
  batch_size: 256
data:
  examples: 60000
  n_train: 60000
privacy:
  sigma: 0.8
`,
    phases: [{ noiseMultiplier: 0.8, datasetSize: 60000, batchSize: 256, steps: 5000 }],
  },
  {
    name: 'a run tracker: every value under its name',
    text: `wandb_version: 1
_wandb:
  desc: null
  value:
    python_version: 3.10.2
batch_size:
  desc: null
  value: 256
epochs:
  desc: null
  value: 60
sigma:
  desc: null
  value: 1.1
train_size:
  desc: null
  value: 60000
`,
    phases: [mnist],
  },
  {
    name: 'a run tracker: the same as JSON',
    text: '{"batch_size": {"desc": null, "value": 256}, "epochs": {"value": 60}, "noise_multiplier": {"value": 1.1}, "n_train": {"value": 60000}, "lr": {"value": 0.1}}',
    phases: [mnist],
  },
  {
    name: 'TOML with tables',
    text: `title = "dp run"
[training]
epochs = 60
batch_size = 256
[privacy]
noise_multiplier = 1.1
delta = 1e-5
[data]
n_train = 60_000
[optimizer]
eps = 1e-8
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'an INI file',
    text: `; settings of the run
[train]
model = resnet18
epochs = 60
batch_size = 256
[dp]
noise_multiplier = 1.1
delta = 1e-5
examples_file = data/train.csv
num_examples = 60000
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'click options',
    text: `import click

@click.command()
@click.option("--batch-size", "-b", default=256, show_default=True, help="Batch size, such as 64.")
@click.option("--epochs", default=60)
@click.option("--noise-multiplier", type=float, default=1.1)
@click.option("--dataset-size", default=60000)
@click.option("--secure-rng/--no-secure-rng", default=False)
def main(batch_size, epochs, noise_multiplier, dataset_size, secure_rng):
    train(batch_size, epochs)

if __name__ == "__main__":
    main()
`,
    phases: [mnist],
  },
  {
    name: 'absl flags',
    text: `from absl import app, flags
FLAGS = flags.FLAGS
flags.DEFINE_float('learning_rate', 0.15, 'Learning rate')
flags.DEFINE_float('noise_multiplier', 1.1, 'Ratio of the standard deviation to the clipping norm')
flags.DEFINE_float('l2_norm_clip', 1.0, 'Clipping norm')
flags.DEFINE_integer('batch_size', 256, 'Batch size')
flags.DEFINE_integer('epochs', 60, 'Number of epochs')
flags.DEFINE_string('model_dir', None, 'Model directory')
NUM_TRAIN_EXAMPLES = 60000

def main(unused_argv):
    steps = FLAGS.epochs * NUM_TRAIN_EXAMPLES // FLAGS.batch_size

if __name__ == '__main__':
    app.run(main)
`,
    phases: [mnist],
  },
  {
    name: 'a dataclass',
    text: `@dataclass
class TrainConfig:
    """Defaults of the run."""
    batch_size: int = 256
    num_workers: int = 4
    epochs: int = 60
    noise_multiplier: float = 1.1
    dataset_size: int = field(default=60_000)
    delta: float = 1e-5
    lr: float = 0.1
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'ml_collections: a function that makes the configuration',
    text: `def get_config():
  config = ml_collections.ConfigDict()
  config.batch_size = 1024
  config.num_train_steps = 10_000
  config.privacy = ml_collections.ConfigDict()
  config.privacy.noise_multiplier = 1.4
  config.privacy.delta = 1e-6
  config.dataset_size = 1_281_167
  return config
`,
    phases: [{ noiseMultiplier: 1.4, datasetSize: 1281167, batchSize: 1024, steps: 10000 }],
    delta: 1e-6,
  },
  {
    name: 'JAX Privacy: lines of a configuration',
    text: `config.training.batch_size.init_value = 4096
config.training.batch_size.per_device_per_step = 64
config.training.num_updates = 875
config.training.dp.noise_multiplier = 3.0
config.training.dp.clipping_norm = 1.0
config.data.num_samples = 50_000
config.training.dp.delta = 1e-5`,
    phases: [{ noiseMultiplier: 3, datasetSize: 50000, batchSize: 4096, steps: 875 }],
    delta: 1e-5,
  },
  {
    name: 'JAX Privacy: a plan with a target and truncated batches',
    text: `DpsgdExecutionPlanConfig(iterations=2000, epsilon=3.0, delta=1e-6, noise_multiplier=None,
      sampling_prob=0.02, num_samples=100_000, l2_clip_norm=1.0, truncated_batch_size=2500)`,
    phases: [{ datasetSize: 100000, samplingProbability: 0.02, steps: 2000, maxBatchSize: 2500 }],
    delta: 1e-6,
    epsilon: 3,
  },
  {
    name: 'JAX Privacy: bands beside truncated batches',
    text: 'BandMFConfig(iterations=1000, num_bands=4, sampling_prob=0.04, num_examples=40_000, truncated_batch_size=500, noise_multiplier=2.0)',
    phases: [
      {
        ...{ noiseMultiplier: 2, datasetSize: 10000, samplingProbability: 0.04 },
        ...{ steps: 250, maxBatchSize: 500 },
      },
    ],
  },
  {
    name: 'a command line',
    text: `python train.py --sigma 1.1 --batch-size=256 \\
      --epochs 60 --lr 0.25 --dataset-size 60000 --drop-last  # on gpu 3`,
    phases: [{ ...mnist, dropLast: true }],
  },
  {
    name: 'a shell script with variables',
    text: `#!/bin/bash
# runs the baseline with sigma 0.5
SIGMA=1.1
EPOCHS=60
export CUDA_VISIBLE_DEVICES=0
python -u train.py \\
    --noise-multiplier $SIGMA \\
    --epochs "\${EPOCHS}" --batch-size 256 --n-train 60000 \\
    --output-dir "runs/sigma_\${SIGMA}"
`,
    phases: [mnist],
  },
  {
    name: 'Hydra: overrides of a command',
    text: 'python -m dp.train trainer.max_epochs=60 data.batch_size=256 +privacy.noise_multiplier=1.1 data.num_train_examples=60000',
    phases: [mnist],
  },
  {
    name: 'a session of a console',
    text: `>>> n, b = 60000, 256
>>> epochs = 60
>>> sigma = 1.1
>>> q = b / n
>>> q
0.004266666666666667
>>> steps = epochs * n / b
>>> delta = 1 / (2 * n)
`,
    phases: [mnist],
    delta: 1 / 120000,
  },
  {
    name: 'a dictionary in a script',
    text: `import train
HPARAMS = {
    'batch_size': 256,
    'epochs': 60,
    'lr': 0.1,  # not 0.05
    'dp': {'noise_multiplier': 1.1, 'delta': 1e-5},
    'n_train': 60000,
}
train.run(HPARAMS)
print("done")
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'CSV with a header and one run',
    text: 'dataset,n,batch_size,epochs,sigma,delta,accuracy\nmnist,60000,256,60,1.1,1e-5,0.981\n',
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'CSV with several runs',
    text: 'n,batch_size,epochs,sigma\n60000,256,60,1.1\n60000,256,60,0.8\n',
    says: /2 runs/,
  },
  {
    name: 'Markdown: a table of hyperparameters',
    text: `The run of Section 4:

| Hyperparameter | Value |
|---|---|
| Batch size | 256 |
| Noise multiplier (σ) | 1.1 |
| Epochs | 60 |
| Training examples | 60,000 |
| δ | 10^-5 |
| Learning rate | 0.5 |
`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'LaTeX: a table of hyperparameters',
    text: String.raw`\begin{table}
\begin{tabular}{lc}
\toprule
Parameter & Value \\
\midrule
Dataset size $n$ & $60{,}000$ \\
Batch size $B$ & 256 \\
Noise multiplier $\sigma$ & 1.1 \\
Epochs & 60 \\
$\delta$ & $10^{-5}$ \\
\bottomrule
\end{tabular}
\caption{Hyperparameters.}
\end{table}`,
    phases: [mnist],
    delta: 1e-5,
  },
  {
    name: 'LaTeX: a table of several runs',
    text: String.raw`\begin{tabular}{lcccc}
Dataset & $n$ & $B$ & $\sigma$ & epochs \\
\hline
MNIST & 60{,}000 & 256 & 1.1 & 60 \\
CIFAR-10 & 50{,}000 & 512 & 1.3 & 100 \\
\end{tabular}`,
    says: /2 runs/,
  },
  {
    name: 'a sentence: the shortest',
    text: 'sigma = 1.1, batch size 256, 60 epochs, n = 60,000',
    phases: [mnist],
  },
  {
    name: 'a sentence: a paragraph in TeX, with a guarantee and other numbers',
    text: String.raw`We fine-tune WideResNet-16-4 on the $50{,}000$ training images of CIFAR-10 for 875 steps with batches of $4{,}096$ examples, clipping norm $C = 1$, noise multiplier $\sigma = 3.0$ and learning rate $4$; this gives $(\varepsilon, \delta) = (1.8, 10^{-5})$.`,
    phases: [{ noiseMultiplier: 3, datasetSize: 50000, batchSize: 4096, steps: 875 }],
    delta: 1e-5,
    epsilon: 1.8,
  },
  {
    name: 'a sentence: thousands as k, Greek letters',
    text: 'The model saw 60k images for 15 epochs, 600 images per batch, σ ≈ 4 (δ = 10⁻⁵).',
    phases: [{ noiseMultiplier: 4, datasetSize: 60000, batchSize: 600, epochs: 15 }],
    delta: 1e-5,
  },
  {
    name: 'a sentence: letters of papers',
    text: String.raw`We set $\sigma{=}1.1$ and $|B| = 256$ with $|D| = 60{,}000$ for 60 epochs, which is epsilon <= 2.0 at delta <= 1e-10.`,
    phases: [mnist],
    delta: 1e-10,
    epsilon: 2,
  },
  {
    name: 'a sentence: devices whose batch may be the whole',
    text: 'We train on 8 GPUs with a batch size of 1,024 for 10 epochs on 50,000 examples and noise multiplier 1.0.',
    says: /1,024/,
  },
  {
    name: 'a federated configuration',
    text: `num_clients: 1000
clients_per_round: 50
rounds: 200
local_epochs: 1
batch_size: 16
noise_multiplier: 1.0
`,
    phases: [
      {
        ...{ noiseMultiplier: 1, datasetSize: 1000, batchSize: 50, steps: 200 },
        ...{ privacyUnit: 'client', localEpochs: 1 },
      },
    ],
  },
  {
    name: 'a federated run in words',
    text: 'Of 3,400 clients, 100 clients per round take part for 500 rounds with noise multiplier 0.7.',
    phases: [
      {
        noiseMultiplier: 0.7,
        datasetSize: 3400,
        batchSize: 100,
        steps: 500,
        privacyUnit: 'client',
      },
    ],
  },
  {
    name: 'Flower: a project file and its strategy',
    text: `[tool.flwr.app.config]
num-server-rounds = 30
fraction-train = 0.2
local-epochs = 2
noise-multiplier = 0.9
max-grad-norm = 10.0

[tool.flwr.federations.local-simulation]
options.num-supernodes = 500
`,
    phases: [
      {
        ...{ noiseMultiplier: 0.9, datasetSize: 500, samplingProbability: 0.2, steps: 30 },
        ...{ privacyUnit: 'client', localEpochs: 2 },
      },
    ],
  },
  {
    name: 'Flower: a wrapped strategy',
    text: `num_clients = 1000
num_rounds = 100
strategy = DifferentialPrivacyServerSideFixedClipping(base, 1.2, 5.0, 50)
`,
    phases: [
      { noiseMultiplier: 1.2, datasetSize: 1000, batchSize: 50, steps: 100, privacyUnit: 'client' },
    ],
  },
  {
    name: 'TensorFlow Federated: a script',
    text: `flags.DEFINE_integer('total_clients', 3400, 'Clients of EMNIST')
flags.DEFINE_integer('total_rounds', 150, 'Rounds')
flags.DEFINE_integer('client_epochs_per_round', 4, 'Epochs of a client')
aggregator = tff.learning.dp_aggregator(1.05, 170)
`,
    phases: [
      {
        ...{ noiseMultiplier: 1.05, datasetSize: 3400, batchSize: 170, steps: 150 },
        ...{ privacyUnit: 'client', localEpochs: 4 },
      },
    ],
  },
  {
    name: 'FedML: a configuration',
    text: `train_args:
  client_num_in_total: 2000
  client_num_per_round: 40
  comm_round: 80
  epochs: 3
  batch_size: 10
dp_args:
  enable_dp: true
  noise_multiplier: 1.3
`,
    phases: [
      {
        ...{ noiseMultiplier: 1.3, datasetSize: 2000, batchSize: 40, steps: 80 },
        ...{ privacyUnit: 'client', localEpochs: 3 },
      },
    ],
  },
  {
    name: 'noise by its standard deviation on the sum',
    text: `query = GaussianSumQuery(3.0, 3.6)
n = 60000
batch_size = 250
epochs = 20
`,
    phases: [
      {
        ...{ noiseUnit: 'sum', noiseStddev: 3.6, clippingNorm: 3 },
        ...{ datasetSize: 60000, batchSize: 250, epochs: 20 },
      },
    ],
  },
  {
    name: 'lines of a log',
    text: `2026-03-01 12:00:01 INFO noise_multiplier=1.1 batch_size=256
2026-03-01 12:00:01 INFO dataset_size=60000 epochs=60
2026-03-01 12:03:40 INFO Epoch 1/60 loss=2.31
2026-03-01 12:07:12 INFO Epoch 2/60 loss=1.97
`,
    phases: [mnist],
  },
  {
    name: 'a list of a README',
    text: `Settings of our run:

- **Batch size:** 256
- **Epochs:** 60
- **Noise multiplier:** 1.1
- **Training examples:** 60,000
- **Optimizer:** SGD with momentum 0.9
`,
    phases: [mnist],
  },
  {
    name: 'an issue: a sentence around fenced code',
    text: `I trained with this and got a smaller epsilon than you report:

\`\`\`yaml
epochs: 60
batch_size: 256
noise_multiplier: 1.1
\`\`\`

The dataset has n = 60,000.
`,
    phases: [mnist],
  },
  {
    name: 'a sweep: one name with several values',
    text: `method: grid
parameters:
  sigma:
    values: [0.5, 1.0, 2.0]
  batch_size:
    value: 256
  epochs:
    value: 60
  train_size:
    value: 60000
`,
    says: /oise multiplier/,
  },
  {
    name: 'two commands',
    text: `python train.py --sigma 1.1 --epochs 60 --batch-size 256 --n 60000
python train.py --sigma 0.8 --epochs 60 --batch-size 256 --n 60000
`,
    says: /2 runs/,
  },
];
