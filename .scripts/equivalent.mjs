// Systematic faults that no test needs to catch, by file and, where not the whole of a file is meant, by
// the fault and its line, or the function around it. They change where a search looks and how much work
// it does, or what is charged for round-off. A `slack` charge is larger than the error that it is for by
// the measured factor that is named, so that no test sees it weakened by less: it counts as a survivor.

/** @type {{file: RegExp, text?: RegExp, inside?: RegExp, why: string, slack?: boolean}[]} */
export const equivalent = [
  { file: /./, text: /\.reserve\(/, why: 'room made in advance' },
  {
    file: /^core\/(?:accounts|runs|samplers|tradeoff)\//,
    text: /log2_grid|std::max\(.*grid_points|k\w*Tries|\bi < tries\b|^(?:[<>]=?|1e6|300): .*(?<!::)\bk(?:MostSteps|Few)\b|\/ kMostSteps/,
    why: 'how much work an answer is worth: any end that is found holds',
  },
  {
    file: /^core\/calibrate\//,
    text: /kMostRough|kMostMeasurements/,
    why: 'how many measurements a search may take: what is returned was measured',
  },
  {
    file: /^core\/(?:accounts|runs|samplers)\//,
    text: /work::(?:part|Limit|spend)|kMostTables/,
    why: 'how much work an answer is worth: any end that is found holds',
  },
  {
    file: /^core\/runs\/(?:aims\.h|by_swaps\.cc)$/,
    why: 'which aims are tried: each one’s bound holds',
  },
  {
    file: /^core\/runs\/charge\.cc$/,
    text: /slope|kClose|k\w*Log\b|\bexcess\b|log_first|kEqual|equal\.|ahead|halfway|const bool close/,
    why: 'where the next try is: each one’s end holds',
  },
  {
    file: /^core\/runs\/charge\.cc$/,
    text: /e > 30|epsilon < 1e-12/,
    why: 'either form is exact to 1e-12 there, and 1e-9 is charged',
  },
  {
    file: /^core\/runs\/releases\.cc$/,
    text: /double t = |std::clamp\(|reach/,
    why: 'which order is taken: each one’s bound holds, and the lower end is not used',
  },
  {
    file: /^core\/runs\/parts\.cc$/,
    text: /\bopen\b|settle|deciding|by_contour->|kLattice|kLargestLattice|kRough|kPartOfGap|beyond_lattices|by_lattices|expected/,
    why: 'which engine answers: each one’s end holds',
  },
  {
    file: /^core\/runs\/parts\.cc$/,
    text: /kClose\b|may_gain/,
    why: 'when swaps are tried: an end that is found holds',
  },
  {
    file: /^core\/runs\/parts\.cc$/,
    text: /kCrossing/,
    why: 'how far ends may cross by round-off before nothing is claimed: none do',
  },
  {
    file: /^core\/runs\/directions\.h$/,
    text: /value\.upper - value\.lower|matters|moderate|deciding|const bool finer/,
    why: 'whether the second direction is asked again, with more work',
  },
  {
    file: /^core\/accounts\/calibrate\.cc$/,
    text: /axis\.start/,
    why: 'where is measured first',
  },
  {
    file: /^core\/accounts\/monte_carlo\.cc$/,
    text: /kSumRounding/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/tradeoff\/imbalance\.cc$/,
    text: /kappa|log_mass|tilted|reach|beyond|outside|left_out/,
    why: 'which numbers of clones are summed: the others weigh less than e^-50 either way',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^(?:plan|turn_of|log_abs|best_lift|log_known|Curve|log_delta|longest_polynomial)$/,
    why: 'where paths, panels and stretches lie: what each leaves out is charged',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    text: /log_left_out|u > 3 \*|kMostHalvings|depth \+ 1|log_size|kMostPieces|kMostNodes|kExact|(?:low|high|far) \+= |high > end|tolerance/,
    why: 'where paths, panels and stretches lie: what each leaves out is charged',
  },
  {
    file: /^core\/samplers\/(?:adaptive_attack|participations|two_batches)\.cc$/,
    text: /\.error\b|\berror\b|\brelative\b|kRelative|rounding|summation|\boff\b/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/adaptive_attack\.cc$/,
    text: /kUnit/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/adaptive_attack\.cc$/,
    text: /marks \?|kBelow|kAbove|kFarAbove|kWidening|kKnown|kLeastMass|kTries|kWithin|kNear|kNegligible|kLeastOfInterest/,
    why: 'which cells are looked at, and where: each one’s worth is a lower end',
  },
  {
    file: /^core\/samplers\/adaptive_attack\.cc$/,
    inside: /^cut_ends$/,
    text: /while \(values\.size/,
    why: 'which cells are left out: what is worth more is lowered, and the rest is a lower end',
  },
  {
    file: /^core\/samplers\/correlated\.cc$/,
    text: /largest > \(1 - kGain\)/,
    why: 'how much a comparison has to gain to be kept: each one holds',
  },
  {
    file: /^core\/samplers\/adaptive_attack\.cc$/,
    inside: /^fine_for$/,
    why: 'how fine cells are, and how many batches choose: each one’s worth is a lower end',
  },
  {
    file: /^core\/samplers\/swap_sum\.cc$/,
    text: /\.error\b|kUnit|1 \+ 1e-/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^log_panel_error$/,
    text: /for \(const double rho :/,
    why: 'which ellipses are tried: the bound on each holds',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^interpolate$/,
    text: /^==: .*i % 2/,
    why: 'the sign of all weights, of whose sums a quotient is taken',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^interpolate$/,
    text: /\brho\b|\bbest\b|count/,
    why: 'how many points a polynomial has: what it leaves out is charged',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^interpolate$/,
    text: /lebesgue|log_most|\btall\b|\brise\b|there|error_/,
    why: 'at least 1,700 times what a coarse polynomial is off by, over random curves',
    slack: true,
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    text: /far \* far|log_weight\) \+|outer_ \* \(far/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    text: /rounding|\bunits\b/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    text: /\bspend\(|kThreshold/,
    why: 'how much work an answer is worth: any end that is found holds',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^nodes_of$/,
    text: /1e-23|outer_\) \{|log_left_out - 12/,
    why: 'at most e^-12 of what may be left out: no coarse interval on record changes by 1e-8',
    slack: true,
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^nodes_of$/,
    text: /\brest\b/,
    why: 'without it no coarse interval of 780 random questions is apart from the fine one',
    slack: true,
  },
  {
    file: /^core\/samplers\/swap_sum\.cc$/,
    text: /negligible|peak \*/,
    why: 'about 1e-3 of a sum that its blur raises by up to 2.5e-2',
    slack: true,
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^payoff$/,
    text: /2 \* std::max\(0\.0, -(?:epsilon|along)\)/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/bins_replaced\.cc$/,
    inside: /^replaced_epsilon$/,
    text: /\bpart\b|reach|slope|ailures|halfway|seems_larger|log_first|log_last|epsilon > between|1e-6|0\.02/,
    why: 'where is asked next: what is returned was asked',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside:
      /^(?:rare_log_ratio|log_limit|guess|settled_guess|guess_epsilon|setting|cells|fits|give_up|workable|grain)$/,
    why: 'what transforms are planned for: their ends hold',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^(?:hit_error|top)$/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^(?:delta|epsilon)$/,
    text: /guess|\bpad\b|\bstep\b|known_sum|replanned|middle|!first|slope|at\.plan|log_delta/,
    why: 'what transforms are planned for: their ends hold',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^operator$/,
    text: /length|slope|\bfall\b|log_delta|at\.plan|grid/,
    why: 'where a curve’s anchors lie, and on what grids: the ends of each hold',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^(?:threshold_lower|stopped_epsilon)$/,
    text: /centre|excess|slope/,
    why: 'where is asked next: what is returned was asked',
  },
  {
    file: /^core\/samplers\/balls_and_bins\.cc$/,
    inside: /^answer$/,
    text: /: a thousandth.*kWide|^(?:<: <=|\*: without).* kWide|intersect\(d\.remove, other\.remove\)|d\.remove = d\.add = both/,
    why: 'both directions of a replaced record are one number, and each proof of it holds',
  },
  {
    file: /^core\/samplers\/bins_epoch\.cc$/,
    inside: /^threshold_lower$/,
    text: /\berror\b|1e-320/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/batch_cap\.cc$/,
    inside: /^poisson_parts$/,
    text: /^(?!std::min).* \| const double known =/,
    why: 'a record that is kept was drawn; both ends of a tail differ by round-off alone',
  },
  {
    file: /^core\/samplers\/swaps\.cc$/,
    inside: /^(?:bounds_of|least_delta|about_of|deltas|table_of|epsilon_at|swap_epsilon)$/,
    text: /cut|from|about|chosen|farthest|single|several|tolerable|negligible|expected|Negligible|Several|kFall|kSought|kAsKnown|step|start|each|\bi \* i\b/,
    why: 'which cuts are tried, and how far they are followed: each one’s bound holds',
  },
  {
    file: /^core\/samplers\/swaps\.cc$/,
    text: /kHeavy|kSmall\b|kLargestEpsilon|kFarthest|serves|kBeyond/,
    why: 'which cuts are tried, and how far they are followed: each one’s bound holds',
  },
  {
    file: /^core\/samplers\/swaps\.cc$/,
    text: /kCellRounding/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/swap_(?:sum|law)\.cc$/,
    text: /work::|downhill|kSpacing|kRaised|last =|steps|middle|highest|window_|\b16 \+/,
    why: 'where lines, cells and strikes lie: what each leaves out is charged',
  },
  {
    file: /^core\/samplers\/third_order\.cc$/,
    text: /[rR]ounding|\| a \* a \* \(std::exp/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/swap_law\.cc$/,
    inside: /^SwapOptions$/,
    text: /^0\.5: .*cut_\(/,
    why: 'where two densities are equal: what lies between there and a thousandth aside is its square',
  },
  {
    file: /^core\/samplers\/third_order\.cc$/,
    inside: /^square_above$/,
    text: /^0\.5: .* h = /,
    why: 'where V turns positive: what lies between there and a thousandth aside is its cube',
  },
  {
    file: /^core\/samplers\/third_order\.cc$/,
    text: /for \(const double part :/,
    why: 'where the stretches of D end: the bound of each holds',
  },
  {
    file: /^core\/samplers\/clones\.cc$/,
    text: /\bunits\b/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/samplers\/clones\.cc$/,
    inside: /^lowest_rung$/,
    text: /^0\.5: /,
    why: 'where is asked next: what is returned was asked',
  },
  {
    file: /^core\/samplers\/participations\.cc$/,
    text: /\bothers\b|variance|kDeviations/,
    why: 'how wide a grid is: events that wrap round it are merged, and prove no more',
  },
  {
    file: /^core\/samplers\/participations\.cc$/,
    inside: /^roughly$/,
    why: 'how wide a grid is: events that wrap round it are merged, and prove no more',
  },
  {
    file: /^core\/samplers\/shuffle_upper\.cc$/,
    text: /kUsualGap|attacked|kPart\b|\baim\b/,
    why: 'where the next try is: each one’s end holds',
  },
  {
    file: /^core\/tradeoff\/imbalance\.cc$/,
    text: /farthest|weights|static_cast<double>\(window|_error|rounding|relative/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/tradeoff\/curve\.cc$/,
    inside: /^(?:meeting|falling|rising|relative_gap|range_end|gaps_of|wide_cells|sample_knots)$/,
    why: 'where knots and corners lie: any of them bound, and bands are as narrow as tests ask',
  },
  {
    file: /^core\/tradeoff\/curve\.cc$/,
    text: /kScan|kMargin/,
    why: 'how finely an estimate is looked for, and what is charged for round-off',
  },
  {
    file: /^core\/tradeoff\/(?:random_initialisation|shuffle_model)\.cc$/,
    text: /(?:mass|mean|call|probability)\.(?:lower|upper): |mean [-+] error/,
    why: 'the two ends differ by round-off alone',
  },
  {
    file: /^core\/tradeoff\/shuffle_model\.cc$/,
    inside: /^round_sampling$/,
    why: 'how finely a curve is sampled: what is read off between points holds',
  },
  {
    file: /^core\/tradeoff\/selection\.cc$/,
    inside: /^(?:lowest_at|cell_ends|fineness|log_end|hull_of|decades)$/,
    why: 'which lines, cells, nodes and attacks are taken: each one’s bound holds',
  },
  {
    file: /^core\/tradeoff\/random_initialisation\.cc$/,
    inside: /^(?:refined|halve_widest)$/,
    why: 'which cells are halved: any of them bound, to the width that tests ask',
  },
  {
    file: /^core\/tradeoff\/mixtures\.cc$/,
    text: /misjudged|density|kSumError|doubtful/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/tradeoff\/(?:audit|selection)\.cc$/,
    text: /^\*: .* \* k(?:Down|Up)\b/,
    why: 'what is charged for round-off',
  },
  {
    file: /^core\/tradeoff\/audit\.cc$/,
    text: /^\/: .*\| if \(1 \/ /,
    why: 'whether terms are looked at that cannot be the largest',
  },
  {
    file: /^core\/accounts\/(?:target_met|calibrate)\.cc$/,
    text: /Care::rough/,
    why: 'how rough a first guess is: what is found is asked again',
  },
  {
    file: /^core\/accounts\/(?:sampled|shuffle_model|band|tradeoff)\.cc$/,
    text: /sampling\.|sampling_for|kLeastRate/,
    why: 'how finely a curve is sampled: what is read off between points holds',
  },
  {
    file: /^core\/accounts\/privacy_curve\.cc$/,
    text: /from_the_largest|kSmall|composes_epochs|is_narrow/,
    why: 'which of several proofs a point is taken from, and in which order points are asked',
  },
  {
    file: /^core\/accounts\/account\.cc$/,
    text: /^1\.0: .*\(1 - failure\) \* rest/,
    why: 'an answer is cut to [0, 1] once more, where it is guarded',
  },
  {
    file: /^core\/accounts\/account\.cc$/,
    inside: /^account_plainly$/,
    text: /permutes|if \(open\)/,
    why: 'how much work an answer is worth: any end that is found holds',
  },
  {
    file: /^core\/accounts\/account\.cc$/,
    text: /leaves_open|kMuch|kWide|kNegligible|kRough|kCoarse|kFarthest|negligible/,
    why: 'whether another proof is worth its time: the ends that are known hold',
  },
  {
    file: /^core\/wire\/(?:assumption|warning)\.h$/,
    inside: /^(?:Assumes|WarningCode)$/,
    why: 'the compiler checks each sentence and code',
  },
  {
    file: /^wasm\/report\/(?:error|check)\.ts$/,
    text: /1e-15|slack/,
    why: 'round-off of a subtraction, below four digits',
  },
  {
    file: /^wasm\/words\/(?:claims|numbers|quotation)\.ts$/,
    text: /^lower !== null -> true/,
    why: 'beside a number null counts as 0, which is no lower end: the types ask for it',
  },
  {
    file: /^wasm\/(?:words\/(?:quotation|target)|report\/(?:markdown|samplers))\.ts$/,
    text: /^(?:reported|gap|address) === undefined -> false|^(?:n|size) !== undefined\b.* (?:-> true|\|\|)/,
    why: 'nothing is below no number, goes without its twin, or is an address: the types ask for it',
  },
  {
    file: /^wasm\/words\/numbers\.ts$/,
    text: /< 1e9 -> .* <= 1e9|^value < 0 -> value <= 0/,
    why: 'the number at the edge is written before: it has one digit, or is 0',
  },
  {
    file: /^wasm\/import\//,
    text: /^depth \+ 1 -> |^depth > deepest -> |slice\(0, \d+_000\) -> |^lines\.length <= 1000 -> |whole\.length > |mostPhases|mostNames|length > deepest|RangeError|202d/,
    why: 'how deep and how far a text is followed: bad-input.test.ts holds it, and is too slow here',
  },
  {
    file: /^wasm\/import\/index\.ts$/,
    text: /^end\.length > 1 -> /,
    why: 'a blank at the end of a line, which leaves every place where it was',
  },
];
