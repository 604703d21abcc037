/** What the numbers mean without a formula: the methods begin with it. */
export const plainly: readonly { id: string; title: string; paragraphs: readonly string[] }[] = [
  {
    id: 'plain-epsilon',
    title: 'What epsilon says',
    paragraphs: [
      'Imagine two trainings: one uses your record, the other does not. Somebody sees the result and wants to know which of the two it was. Epsilon limits what can be learned: no result is more likely in one training than in the other by more than a factor that epsilon sets. At epsilon 0.1 the factor is 1.11, at 1 it is 2.7, at 8 it is 3,000.',
      'Delta is the probability that this limit may fail. It should be well below one over the number of records: a training that publishes one record out of n, drawn at random, has a delta of one over n and hides nothing of that record.',
      'The limit holds whatever the observer already knows and however much is computed. It says nothing about what can be learned without your record: a model may still tell what is true of people like you.',
    ],
  },
  {
    id: 'plain-sampling',
    title: 'What sampling does to it',
    paragraphs: [
      'Each step of the training adds noise to the sum of one batch. If nobody can tell which batch held your record, its trace is harder to find, and the same noise gives a smaller epsilon. How much smaller depends on how the batches were drawn.',
      'With Poisson batches every record joins every batch independently, so the other records say nothing about where yours was. With shuffled batches every record is in exactly one batch of an epoch: other records that are recognised in their batches leave fewer places for yours. An epsilon for Poisson batches therefore does not hold for shuffled ones.',
      'The difference can be large. For one epoch over 60,000 records in batches of 60 with noise multiplier 0.7, at delta 0.00001, epsilon is 0.61 with Poisson batches and at least 6.5 with shuffled ones.',
    ],
  },
  {
    id: 'plain-interval',
    title: 'Why an interval',
    paragraphs: [
      'The true epsilon of a run is often unknown: for shuffled batches no formula gives it, and a computer rounds every number. So two statements are proved instead. The run keeps to the upper end: that is the number to promise. It does not keep to anything below the lower end: an attack breaks that promise. The true value is between the two.',
      'A wide interval is no measurement error and does not change when the page is loaded again. It is the gap between the best proof and the best attack that this program has. Where both ends agree to four digits, the headline says so.',
    ],
  },
];
