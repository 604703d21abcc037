#pragma once

#include <vector>

/// How fast the moment function of a unimodal loss falls along a vertical line.
namespace honest_epsilon::contour {

/// Mass on a short stretch of losses.
struct LossCell {
  double mass;  ///< at most what the stretch has
  double low;   ///< the stretch's ends, rounded outwards
  double high;
};

/// Losses between two points, on which their density rises and then falls.
struct UnimodalPiece {
  std::vector<LossCell> cells;  ///< rising; any part of the piece's losses
  double mass;                  ///< at least what the piece has
};

/// A bound on what oscillation takes from the piece's mass:
///   |integral of e^{iy'L}| <= mass - taken(piece, y)   for every y' >= y >= 0; y may be infinite.
///
/// Proof. Let L, L' be independent with the piece's law, D = L - L', and phi(y') = E e^{iy'L}, so
/// that |phi(y')|^2 = E cos(y' D).
/// 1. D is symmetric, and unimodal [HL54]: with I_a = {density >= a}, intervals that are nested,
/// the
///    density of D at d is the integral over a, b of |I_a meets I_b - d|; together with the same
///    for b, a it can only fall as |d| grows, since one interval contains the other.
/// 2. So D = U V with U uniform on (-1, 1), V >= 0 independent [Khinchine], and
///    E cos(y' D) = E sinc(y' V), sinc u = sin(u)/u.
/// 3. sinc falls until 4.49 and never exceeds 0.1284 after: for u' >= u,
///    1 - sinc u' >= s(u) = min(1 - sinc u, 0.8716).
/// 4. V's law has E g(V) = E (u g(u))' at u = |D|. For g(v) = s(yv) that is 1 - cos(y|D|) up to
/// where
///    1 - sinc is 0.8716 and 0.8716 after, at least m(y|D|), m(u) = 1 - cos(min(u, 1.44)).
/// 5. |phi(y')|^2 <= 1 - E m(y|D|), |phi(y')| <= 1 - E m / 2. Each pair of cells is at least the
/// gap
///    between them apart; 1 - cos u >= u^2/2 - u^4/24. QED.
double taken(const UnimodalPiece& piece, double y);

}  // namespace honest_epsilon::contour
