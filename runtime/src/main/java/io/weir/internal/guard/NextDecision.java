package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.access.AccessEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The decision that the next request would get, as far as this node can know it. Immutable.
 *
 * @param known the decision by the policies that this node can decide, whether they are all or not
 * @param undecided the policies that it can't decide, with the reasons
 * @param isServedHere whether this node serves the request, and not another server that has it
 *     checked
 * @param access the entry of the access list that denies the request, or lets it through
 */
public record NextDecision(
    CheckResult known,
    List<Undecided> undecided,
    boolean isServedHere,
    Optional<AccessEntry> access) {
  /**
   * A policy that isn't decided here.
   *
   * @param policy its name; empty if all policies are unknown
   * @param reason the reason, as a sentence
   * @param mayRefuse false if the policy only measures
   */
  public record Undecided(String policy, String reason, boolean mayRefuse) {}

  public NextDecision {
    undecided = List.copyOf(undecided);
  }

  /** Makes a decision that no entry of an access list makes. */
  public NextDecision(CheckResult known, List<Undecided> undecided, boolean isServedHere) {
    this(known, undecided, isServedHere, Optional.empty());
  }

  /**
   * Returns whether the request is admitted.
   *
   * @return false if a policy refuses it, whatever others do; empty if it isn't decided here
   */
  public Optional<Boolean> allowed() {
    if (!known.admitted()) {
      return Optional.of(false);
    }
    return undecided.stream().anyMatch(Undecided::mayRefuse) ? Optional.empty() : Optional.of(true);
  }

  /**
   * Returns the decision on a route.
   *
   * @param isWhole whether the whole route is known; if not, only a refusal is
   */
  NextDecision onRoute(boolean isWhole) {
    return isWhole || !known.admitted()
        ? this
        : and(
            "all such requests seen here since the start ended early, so further policies may"
                + " apply that aren't known");
  }

  private NextDecision and(String reason) {
    List<Undecided> more = new ArrayList<>(undecided);
    more.add(new Undecided("", reason, true));
    return new NextDecision(known, more, isServedHere, access);
  }

  /** Returns the decision on one of several routes, which is known only if they all agree. */
  static NextDecision together(List<NextDecision> all) {
    NextDecision first = all.get(0);
    for (NextDecision each : all) {
      if (!each.allowed().equals(first.allowed())) {
        NextDecision admitted = first.known.admitted() ? first : each;
        return admitted.and("requests to it take different paths through this node");
      }
    }
    return first;
  }

  /** Makes the answer of a node that knows nothing of the policies. */
  static NextDecision unknown(String reason) {
    return new NextDecision(
        new CheckResult(Optional.empty(), false), List.of(new Undecided("", reason, true)), true);
  }
}
