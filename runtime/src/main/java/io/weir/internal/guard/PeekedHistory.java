package io.weir.internal.guard;

import io.weir.internal.ban.WatchedCaller;

/** Stands for the decisions of a request that is only peeked at. Confine to one thread. */
class PeekedHistory extends DecisionHistory {
  PeekedHistory(Refunds refunds) {
    super(refunds);
  }

  @Override
  boolean isMeasured() {
    return false;
  }

  /** Watches nothing: a look is no strike. */
  @Override
  boolean watch(WatchedCaller caller) {
    return false;
  }
}
