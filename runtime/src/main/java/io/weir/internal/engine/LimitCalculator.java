package io.weir.internal.engine;

import io.weir.Policy;
import java.util.Optional;

/**
 * What is in force for requests: by the load of this node, and less what is kept back.
 *
 * <p>Safe for concurrent use.
 *
 * @param load tells how busy this node is
 * @param reserve what is kept back
 */
record LimitCalculator(LoadReader load, OutageReserve reserve) {
  EffectiveLimit of(Policy policy, long limit) {
    return of(policy, limit, load.of(policy));
  }

  EffectiveLimit of(Policy policy, long limit, int busy) {
    return reserve.without(policy, EffectiveLimit.of(policy, limit, busy));
  }

  /** What a node may admit of it that can't ask the store, where something is kept back for it. */
  Optional<EffectiveLimit> share(Policy policy, long limit, int live) {
    return reserve.share(policy, EffectiveLimit.of(policy, limit, load.of(policy)), live);
  }
}
