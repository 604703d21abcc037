#pragma once

#include "core/rdp/renyi.h"
#include "core/runs/parts.h"
#include "core/runs/run.h"

/// Fixed-size batches: each step draws its own uniform subset of b of n records, q = b / n.
///
/// Add/remove: leaving the record out makes room for another one, so the two sums differ by up to
/// twice the clipping norm: the pair is the Poisson one at distance 2, that is at sigma / 2. Cite:
/// [AP24, Prop 9.2].
///
/// Substitution: with R the pair ((1-q) N(0) + q N(2), N(0)) the best attack on one step is R's
/// remove curve for K >= 1 and its mirror image for K < 1 [AP24, Thm 14]. Upper: the two glued to
/// one pair (pairs::Glued), composed [AP24, sec. 8]. Lower: R itself, composed, both directions.
///
/// A person's r records, added or removed, of n of which each step draws b (Run::drawn_from): let
/// the others come in random order, the same for both datasets. Without the person's a batch is the
/// first b of them, and with j of the person's in it the first b - j: its sum moves by v, |v| <=
/// 2j. Shifts that are as long or longer, and in line, dominate that, in both directions [GA24]:
///   sum_j p_j N(2j)   against   N(0),    p_j = C(r, j) C(n-r, b-j) / C(n, b),
/// and the order averages out by joint convexity. It is attained where all others have the gradient
/// -g. Where n is not told, and for other noise, they are counted one by one: core/runs/charge.
///
/// With replacement (Run::places). Each of a batch's b places draws from all n records on its own,
/// and holds one of the person's r with probability q = r / n.
///
/// Add/remove: without them the places draw from the other n - r. Draw what each place holds if it
/// holds none of the person's, h_j, in the same way for both datasets. Given these, every place
/// holds one with probability q on its own; where S do, the sum moves by v_S = sum_S (g_j - h_j),
/// |v_S| <= 2 |S|:
///   P = sum_S q^|S| (1-q)^(b-|S|) N(v_S)   against   Q = N(0).
/// Shifts that are as long or longer, and in line, dominate that, in both directions [GA24]:
///   sum_k Bin(b, q)(k) N(2k)   against   N(0),
/// and what the other places hold averages out by joint convexity. It is attained where all others
/// have the gradient -g, even if they are seen. So the pair is that of Poisson batches at sigma / 2
/// and of a person with b records, each in a batch with probability q; and it is tight.
namespace honest_epsilon::without_replacement {

Finding delta(const Run& run, double epsilon, const Effort& effort);
Finding epsilon(const Run& run, double delta, const Effort& effort);
Parts parts(const Run& run, const Demand& demand);

/// Whether no theorem pins the run down, however much is computed.
bool has_gap(const Run& run);

/// Rényi divergence of the whole run, at most; +inf where no bound is known.
rdp::RenyiCurve renyi(const Run& run);

}  // namespace honest_epsilon::without_replacement
