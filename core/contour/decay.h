#pragma once

#include <vector>

/// How fast the moment function of a unimodal loss falls along a vertical line.
namespace honest_epsilon::contour {

/// Mass on a short stretch of losses.
struct LossCell {
  double mass = 0;  ///< at most what the stretch has
  double low = 0;   ///< the stretch's ends, rounded outwards
  double high = 0;
};

/// Losses between two points, on which their density rises and then falls.
struct UnimodalPiece {
  std::vector<LossCell> cells;  ///< rising; any part of the piece's losses
  double mass = 0;              ///< at least what the piece has
};

/// A lower bound on how much of the piece's mass oscillation cancels:
///   |integral of e^{iy'L}| <= mass - cancelled_lower(piece, y)   for every y' >= y >= 0.
/// y may be infinite.
///
/// Proof. Let L, L' be independent with the piece's law, D = L - L', phi(y') = E e^{iy'L}; then
/// |phi(y')|^2 = E cos(y' D).
/// 1. D is symmetric, and unimodal [HL54]. The sets I_a = {density >= a} are nested intervals.
///    The density of D at d is the integral over a and b of |I_a meets I_b - d|; together
///    with the term of b and a, it cannot grow with |d|, since one interval contains the other.
/// 2. So D = U V with U uniform on (-1, 1) and V >= 0 independent of it [Khinchine's theorem], and
///    E cos(y' D) = E sinc(y' V), sinc u = sin(u) / u.
/// 3. sinc falls until 4.49, stays below 0.1284 after, and never exceeds 1/u. So for u' >= u,
///    1 - sinc u' >= s(u), where s(u) is 1 - sinc u until that is 0.8716, 0.8716 until u = 7.789,
///    and 1 - 1/u after.
/// 4. E g(V) = E (u g(u))' at u = |D|. For g(v) = s(yv) that is 1 - cos(y|D|), then 0.8716, then 1:
///    at least m(y|D|), with m(u) = 1 - cos(min(u, 1.44)) for u < 7.79, 1 from there on.
/// 5. |phi(y')|^2 <= 1 - E m(y|D|). Points of two cells are at least as far apart as the cells,
///    and 1 - cos u >= u^2/2 - u^4/24. With E m >= 2 sum / mass^2, the sum over pairs of cells,
///    mass - mass |phi| >= mass - sqrt(mass^2 - 2 sum), which falls with mass. QED.
double cancelled_lower(const UnimodalPiece& piece, double y);

/// A stretch of losses and a lower bound on their density there. Stretches follow one another.
struct DensityCell {
  double density = 0;
  double low = 0, high = 0;
  double blur = 0;  ///< how far either end may be off
};

/// Pieces whose densities add up to at most the cells', so that what cancels in each of them
/// cancels in the whole:
///   |integral of e^{iyL}| <= all mass - sum over pieces of cancelled_lower.
///
/// With r the cells' step function and its largest value in cell m, the function
///   g(i) = min of r between i and m
/// rises up to m, falls after it, and nowhere exceeds r. It is the first piece; r - g is looked at
/// for the next one.
std::vector<UnimodalPiece> unimodal_pieces(const std::vector<DensityCell>& cells);

}  // namespace honest_epsilon::contour
