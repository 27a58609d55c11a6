package io.weir.internal.ban;

import io.weir.BanTerms;
import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One node that bans callers; its second passes when a test says so. */
final class BanNode implements BanListener {
  final BanList list;
  final Bans bans;
  private final List<Runnable> inASecond = new ArrayList<>();
  int strikes;
  int made;

  BanNode(Ticker ticker, SharedStore store, int most) {
    list = new BanList(ticker, most);
    bans = new Bans(list, ticker, store, Optional.empty(), this, inASecond::add);
  }

  /** Terms of a policy that bans for a minute after so many 401 in ten. */
  static BanTerms terms(int after) {
    return policy(after).build().ban().orElseThrow();
  }

  static PolicyBuilder policy(int after) {
    return Policy.builder("login")
        .limit(1_000)
        .window(Duration.ofMinutes(1))
        .banAfter(after)
        .banWithin(Duration.ofMinutes(10))
        .banFor(Duration.ofMinutes(1))
        .banOn("401");
  }

  static WatchedCaller caller(BanTerms terms, String address) {
    return new WatchedCaller("login", terms, false, Key.address(address), false);
  }

  void fail(WatchedCaller caller) {
    bans.answered(caller, 401);
  }

  void passSecond() {
    List<Runnable> due = List.copyOf(inASecond);
    inASecond.clear();
    due.forEach(Runnable::run);
  }

  int waitingTasks() {
    return inASecond.size();
  }

  boolean bans(WatchedCaller caller) {
    return bans.of(caller).isPresent();
  }

  AccessEntry only() {
    return list.inForce().get(0);
  }

  @Override
  public void struck(String policy) {
    strikes++;
  }

  @Override
  public void banned(String policy, boolean isShadow) {
    made++;
  }
}
