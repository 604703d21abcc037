#include "core/monte_carlo/plain.h"

#include "core/monte_carlo/loss.h"

namespace honest_epsilon::monte_carlo {
namespace {

class Plain : public Summands {
 public:
  explicit Plain(const SampleRequest& request)
      : epsilons_(request.epsilons), epochs_(request.epochs), sampler_(loss_sampler(request)) {
    Part part;
    // (1 - e^(epsilon - loss))+ has slope at most 1 in the loss.
    part.summand_error = static_cast<double>(epochs_) * sampler_->error() + 8 * kUnit;
    for (std::size_t i = 0; i < epsilons_.size(); ++i) {
      part.epsilon = i;
      parts_.push_back(part);
    }
  }

  void draw(variates::Generator& source, std::span<double> upper,
            std::span<double> lower) override {
    Loss loss;
    for (std::int64_t epoch = 0; epoch < epochs_; ++epoch) {
      const Loss one = sampler_->draw(source);
      loss.lower += one.lower;
      loss.upper += one.upper;
    }
    for (std::size_t i = 0; i < upper.size(); ++i) upper[i] = payoff(epsilons_[i], loss.upper);
    for (std::size_t i = 0; i < lower.size(); ++i) lower[i] = payoff(epsilons_[i], loss.lower);
  }

 private:
  std::vector<double> epsilons_;
  std::int64_t epochs_;
  std::unique_ptr<LossSampler> sampler_;
};

}  // namespace

std::unique_ptr<Summands> plain_summands(const SampleRequest& request) {
  return std::make_unique<Plain>(request);
}

}  // namespace honest_epsilon::monte_carlo
