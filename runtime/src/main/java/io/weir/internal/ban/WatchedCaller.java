package io.weir.internal.ban;

import io.weir.BanTerms;
import io.weir.Key;
import io.weir.access.AccessSubject;
import io.weir.annotation.BanScope;
import io.weir.internal.value.DurationText;

/**
 * A caller that a policy may ban, as one of its requests shows it. Immutable.
 *
 * @param policy the policy's name
 * @param isShadow whether the policy is in shadow mode, so that its bans have no effect
 * @param isAddressShared whether others may have the caller's address, which is a proxy's
 */
public record WatchedCaller(
    String policy, BanTerms terms, boolean isShadow, Key key, boolean isAddressShared) {
  /** Returns whether a ban can't hit anybody else. */
  boolean isIdentified() {
    return KeyText.hasUser(key) || KeyText.hasAddress(key) && !isAddressShared;
  }

  /** Returns whether its bans are from the whole application. */
  public boolean isOfApplication() {
    return terms.scope() == BanScope.APPLICATION;
  }

  /** Returns the subject of the ban. */
  AccessSubject subject() {
    return isOfApplication() ? KeyText.ofApplication(key) : KeyText.ofPolicy(policy, key);
  }

  /** Says why the caller is banned. */
  String reason() {
    return (terms.after() == 1 ? "1 strike" : terms.after() + " strikes")
        + " by "
        + policy
        + " within "
        + DurationText.inWords(terms.within());
  }
}
