package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.ban.WatchedCaller;
import io.weir.internal.settings.SettingNames;

/**
 * Records the decisions of a call within a request: the policy of the whole application charges the
 * request, all others charge the call.
 *
 * <p>Safe for concurrent use, as far as decisions are added one after the other.
 */
final class CallDecisionHistory extends DecisionHistory {
  private final DecisionHistory around;

  CallDecisionHistory(Refunds refunds, DecisionHistory around) {
    super(refunds);
    this.around = around;
  }

  @Override
  boolean isNew() {
    return false;
  }

  @Override
  DecisionHistory of(String policy) {
    return policy.equals(SettingNames.APPLICATION_POLICY) ? around : this;
  }

  /** Goes on with what is known of the request. */
  @Override
  AccessFinding access() {
    AccessFinding own = super.access();
    return own == AccessFinding.UNREAD ? around.access() : own;
  }

  /** Watches the request around the call as well, since only that has a status. */
  @Override
  boolean watch(WatchedCaller caller) {
    if (!caller.terms().statuses().isEmpty()) {
      around.watch(caller);
    }
    return super.watch(caller);
  }

  /** Asks the request, since only that has a response. */
  @Override
  boolean isFirstRefusal(String policy) {
    return around.isFirstRefusal(policy);
  }

  @Override
  void add(Decision decision) {
    for (Decision part : decision.parts()) {
      if (of(part.policy().name()) == around) {
        around.add(part);
      } else {
        super.add(part);
      }
    }
  }
}
