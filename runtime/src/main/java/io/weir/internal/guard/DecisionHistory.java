package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.ban.WatchedCaller;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestInfo;
import io.weir.store.BucketSpec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the decisions of one request: the charges of each policy, the decision to report to the
 * caller, and what to refund in the end.
 *
 * <p>Safe for concurrent use, as far as decisions are added one after the other.
 */
class DecisionHistory implements SafePolicySource.WaitedTime {
  private final Refunds refunds;

  /** An updater, which saves an object for each request. */
  private static final AtomicReferenceFieldUpdater<DecisionHistory, @Nullable RequestOutcome> END =
      AtomicReferenceFieldUpdater.newUpdater(DecisionHistory.class, RequestOutcome.class, "end");

  private static final VarHandle DECISIONS = listHandle("decisions");

  private static final VarHandle REFUSALS = listHandle("refusals");

  /** Null until the request has ended. */
  private volatile @Nullable RequestOutcome end;

  /** One for each phase that was decided; replaced as a whole. */
  @SuppressWarnings("NullAway.Init") // set by its handle
  private volatile List<Decision> decisions;

  /** The number of decisions that are final, the first ones: no refusal refunds these. */
  private volatile int kept;

  /** Whether all others were refunded, since a policy refused. */
  private volatile boolean refunded;

  /** Whether a policy charged in two steps. */
  private volatile boolean inSteps;

  /** Whether a policy source failed or was late. */
  private volatile boolean incomplete;

  /** Not volatile: a thread that misses an update asks the source once more. */
  private boolean isSourceSilent;

  /** The refusals of a policy source in the current phase. */
  @SuppressWarnings("NullAway.Init") // set by its handle
  private volatile List<Decision> refusals;

  /** The time for which the current phase has waited for a policy source, in nanoseconds. */
  private volatile long waited;

  /** Null unless the phase before authentication has left policies to the one after it. */
  private volatile @Nullable List<WaitingPolicy> waiting;

  /** Null unless the policy source applies policies in the current phase that read the body. */
  private volatile @Nullable List<AppliedPolicy> bodyReaders;

  /** Null until a resolver or condition was asked. */
  private volatile @Nullable ResolverAnswers answers;

  /** Null until the access list was asked. */
  private volatile @Nullable AccessFinding access;

  /** Null until a policy that bans callers has met the request. */
  private volatile @Nullable WatchedCallers watched;

  DecisionHistory(Refunds refunds) {
    this.refunds = refunds;
    // Not shared yet: volatile writes would be most of the cost of a history.
    DECISIONS.setRelease(this, List.of());
    REFUSALS.setRelease(this, List.of());
  }

  private static VarHandle listHandle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(DecisionHistory.class, field, List.class);
    } catch (ReflectiveOperationException mistake) {
      throw new ExceptionInInitializerError(mistake);
    }
  }

  boolean isEmpty() {
    return decisions.isEmpty();
  }

  /** Returns whether what the access list does with this request is measured and logged. */
  boolean isMeasured() {
    return true;
  }

  /** Returns whether no policy can have charged this request before. */
  boolean isNew() {
    return decisions.isEmpty();
  }

  /** Returns the history that a policy's decisions belong to. */
  DecisionHistory of(String policy) {
    return this;
  }

  /**
   * Makes all decisions so far final, unless they were refunded: the code that they admitted has
   * run.
   */
  void keep() {
    if (!refunded) {
      kept = decisions.size();
    }
  }

  /**
   * Forgets refunded decisions: a request that proceeds in spite of a refusal has only its final
   * charges.
   *
   * @return true if any was forgotten
   */
  boolean forgetRefunded() {
    boolean forgotten = refunded;
    if (forgotten) {
      refunded = false;
      decisions = List.copyOf(decisions.subList(0, kept));
    }
    return forgotten;
  }

  /**
   * Returns how many permits of a request's cost a policy hasn't charged yet, so that none is
   * charged twice.
   *
   * @param cost what the request costs, 0 and more
   * @return permits; negative if nothing is left to decide, as after a policy that has decided
   *     without charging: in shadow mode, or without its store
   */
  long rest(String policy, long cost) {
    return decisions.isEmpty() ? cost : rest(cost, part -> part.policy().name().equals(policy));
  }

  /** Does the same for one bucket, since a source may apply several policies of one name. */
  long rest(BucketSpec bucket, Key key, long cost) {
    return decisions.isEmpty()
        ? cost
        : rest(cost, part -> part.policy().spec().equals(bucket) && part.key().equals(key));
  }

  private long rest(long cost, Predicate<Decision> isOf) {
    boolean decided = false;
    boolean free = false;
    long charged = 0;
    List<Decision> all = decisions;
    for (int i = 0; i < all.size(); i++) {
      List<Decision> parts = all.get(i).parts();
      for (int j = 0; j < parts.size(); j++) {
        Decision part = parts.get(j);
        if (isOf.test(part)) {
          decided = true;
          free |= RequestDecision.cast(part).isFree();
          charged += part.permits();
        }
      }
    }
    if (!decided) {
      return cost;
    }
    if (charged == 0 && !free || charged >= cost) {
      return -1;
    }
    inSteps = true;
    return cost - charged;
  }

  ResolverAnswers answers() {
    ResolverAnswers known = answers;
    if (known == null) {
      known = new ResolverAnswers();
      answers = known;
    }
    return known;
  }

  AccessFinding access() {
    AccessFinding known = access;
    return known == null ? AccessFinding.UNREAD : known;
  }

  @SuppressWarnings("ReferenceEquality") // a write costs more than a read that finds the same
  void setAccess(AccessFinding found) {
    if (access != found) {
      access = found;
    }
  }

  /** Returns a permit request in shadow mode, if the access list lets this request through. */
  PermitRequest measured(PermitRequest wanted) {
    return access().isMeasuredOnly()
        ? new PermitRequest(
            wanted.policy().inShadow(),
            wanted.key(),
            wanted.permits(),
            wanted.limit(),
            wanted.used(),
            wanted.load())
        : wanted;
  }

  /**
   * Watches the request for strikes of a caller.
   *
   * @return false if that policy watches it already
   */
  boolean watch(WatchedCaller caller) {
    return watchedCallers().add(caller);
  }

  private WatchedCallers watchedCallers() {
    WatchedCallers known = watched;
    return known == null ? beginToWatch() : known;
  }

  private synchronized WatchedCallers beginToWatch() {
    WatchedCallers known = watched;
    if (known == null) {
      known = new WatchedCallers();
      watched = known;
    }
    return known;
  }

  /** Returns the callers that policies may ban because of the request. */
  List<WatchedCaller> watched() {
    WatchedCallers known = watched;
    return known == null ? List.of() : known.all();
  }

  /**
   * Takes note of a refusal by a policy that bans; returns whether the request and the calls within
   * it had none by this policy before. Only the response has a {@code Retry-After}.
   */
  boolean isFirstRefusal(String policy) {
    return watchedCallers().refuse(policy);
  }

  /** Returns whether the status of the response may be a strike. */
  boolean watchesStatus() {
    List<WatchedCaller> all = watched();
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).terms().statuses().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Leaves a policy to the phase after authentication. */
  void addWaiting(WaitingPolicy policy) {
    List<WaitingPolicy> all = new ArrayList<>(waiting());
    all.removeIf(policy::isSameAs);
    all.add(policy);
    waiting = List.copyOf(all);
  }

  /** Returns what the phase before authentication has left, at this endpoint and at others. */
  List<WaitingPolicy> waiting() {
    List<WaitingPolicy> known = waiting;
    return known == null ? List.of() : known;
  }

  /** Leaves a policy of the source until the body was read. */
  void addBodyReader(AppliedPolicy policy) {
    List<AppliedPolicy> all = new ArrayList<>(takeBodyReaders());
    all.add(policy);
    bodyReaders = all;
  }

  /** Removes and returns what was left until the body was read. */
  List<AppliedPolicy> takeBodyReaders() {
    List<AppliedPolicy> all = bodyReaders;
    if (all == null) {
      return List.of();
    }
    bodyReaders = null;
    return all;
  }

  /** Notes that the policy source has no policies in any phase, until the request moves on. */
  void markSourceSilent() {
    isSourceSilent = true;
  }

  /** Notes that the request is at another endpoint: source and access list must be asked there. */
  void movesOn() {
    isSourceSilent = false;
    AccessFinding known = access;
    if (known != null) {
      setAccess(known.elsewhere());
    }
  }

  boolean isSourceSilent() {
    return isSourceSilent;
  }

  /** Notes that the next decision lacks the policies of the source. */
  void markIncomplete() {
    incomplete = true;
  }

  /** Returns whether the policy source has answered in time so far. */
  boolean knowsAll() {
    return !incomplete;
  }

  @Override
  public void addWaited(long nanos) {
    long before = waited; // phases come one after the other
    waited = before + Math.max(0, nanos);
  }

  @Override
  public long waited() {
    return waited;
  }

  /** Returns how long the phase has waited, and resets it for the next phase. */
  long takeWaited() {
    long before = waited;
    if (before > 0) {
      waited = 0;
    }
    return before;
  }

  /** Adds a refusal of the source, or one that a policy in shadow mode would have made. */
  void refuse(Decision refusal) {
    List<Decision> all = new ArrayList<>(refusals);
    all.add(refusal);
    refusals = List.copyOf(all);
  }

  /** Removes and returns the refusals of the source in the current phase. */
  List<Decision> takeRefusals() {
    List<Decision> all = refusals;
    if (!all.isEmpty()) {
      refusals = List.of();
    }
    return all;
  }

  /** Adds refusals and waits of another reading of the request before it is decided. */
  void include(DecisionHistory reading) {
    if (reading.incomplete) {
      incomplete = true;
    }
    waited = Math.max(waited, reading.takeWaited());
    reading.watched().forEach(this::watch);
    for (Decision each : reading.takeRefusals()) {
      if (refusals.stream().noneMatch(known -> haveOneBucket(known, each))) {
        refuse(each);
      }
    }
  }

  static boolean haveOneBucket(Decision one, Decision other) {
    return one.policy().spec().equals(other.policy().spec()) && one.key().equals(other.key());
  }

  void add(Decision decision) {
    decisions = and(decision);
    RequestOutcome known = end;
    if (known != null) {
      end(decision, known);
    }
  }

  private List<Decision> and(Decision decision) {
    if (decisions.isEmpty()) {
      return List.of(decision);
    }
    List<Decision> all = new ArrayList<>(decisions);
    all.add(decision);
    return List.copyOf(all);
  }

  /**
   * Returns the decision to report to the caller: of a policy that charged in two steps, only the
   * last.
   */
  Decision reported() {
    return reported(decisions);
  }

  /** Returns the decision to report with one more, which isn't added. */
  Decision reportedWith(Decision refusal) {
    return reported(and(refusal));
  }

  private Decision reported(List<Decision> all) {
    if (!inSteps) {
      return together(all);
    }
    Map<String, Decision> latest = new LinkedHashMap<>();
    for (Decision each : all) {
      for (Decision part : each.parts()) {
        latest.put(part.policy().name(), part);
      }
    }
    return together(List.copyOf(latest.values()));
  }

  private Decision together(List<Decision> all) {
    if (incomplete) {
      return DecisionCombiner.incomplete(all);
    }
    return all.size() == 1 ? all.get(0) : DecisionCombiner.of(all);
  }

  /**
   * Joins the decisions of a request that is only checked.
   *
   * @return a degraded one if policies are missing; empty without decisions
   */
  Optional<Decision> decided(List<Decision> parts) {
    return parts.isEmpty() ? Optional.empty() : Optional.of(together(parts));
  }

  /** Returns the result of a check; one without a decision is degraded if policies are missing. */
  CheckResult result(Optional<Decision> decision) {
    return new CheckResult(
        decision, incomplete || decision.isPresent() && decision.get().degraded());
  }

  /** Returns the decisions that no refusal refunds. */
  List<Decision> finals() {
    return decisions.subList(0, kept);
  }

  /** Returns all decisions and one more, which isn't added. */
  List<Decision> with(Decision refusal) {
    return and(refusal);
  }

  boolean hasFinal() {
    return kept > 0;
  }

  /**
   * Returns the decision to report of a request that is refused uncounted: all that stays charged.
   */
  Optional<Decision> reportedFinals() {
    return kept == 0 ? Optional.empty() : Optional.of(reported(decisions.subList(0, kept)));
  }

  /**
   * Returns all decisions together.
   *
   * @throws IllegalStateException if there is none
   */
  Decision decision() {
    List<Decision> all = decisions;
    if (all.isEmpty()) {
      throw new IllegalStateException("no policy has decided this request");
    }
    return together(all);
  }

  void report(DecisionReport report, RequestInfo request) {
    report.completed(request, decisions, incomplete);
  }

  /** Refunds and forgets some decisions, also final ones: they were made for something else. */
  void refund(Predicate<Decision> wrong) {
    List<Decision> all = decisions;
    List<Decision> right = new ArrayList<>(all.size());
    int rightAndKept = 0;
    for (int i = 0; i < all.size(); i++) {
      List<Decision> parts = new ArrayList<>(all.get(i).parts());
      for (Decision part : all.get(i).parts()) {
        if (wrong.test(part)) {
          parts.remove(part);
          refunds.refund(part);
        }
      }
      if (!parts.isEmpty()) {
        right.add(
            parts.size() == all.get(i).parts().size() ? all.get(i) : DecisionCombiner.of(parts));
      }
      if (i < kept) {
        rightAndKept = right.size();
      }
    }
    kept = rightAndKept;
    decisions = List.copyOf(right);
  }

  /** Asks resolvers, conditions and the access list again, since the request has changed. */
  void forgetAnswers() {
    answers = null;
    access = null;
  }

  /** Stops to watch for policies that met the request somewhere else. */
  void unwatch(Predicate<WatchedCaller> wrong) {
    WatchedCallers known = watched;
    if (known != null) {
      known.removeIf(wrong);
    }
  }

  /** Refunds all charges that aren't final, since the request is refused. */
  void refundOthers() {
    refunded = true;
    List<Decision> all = decisions;
    for (int i = kept; i < all.size(); i++) { // without an iterator, as below
      refunds.refund(all.get(i));
    }
  }

  /** Refunds charges that don't count, also later ones. Only the first call has an effect. */
  void end(RequestOutcome outcome) {
    if (END.compareAndSet(this, null, outcome)) {
      List<Decision> all = decisions;
      for (int i = 0; i < all.size(); i++) {
        end(all.get(i), outcome);
      }
    }
  }

  /** Returns all decisions so far; another list once one is added. */
  List<Decision> decisions() {
    return decisions;
  }

  @SuppressWarnings("ReferenceEquality") // compared by identity
  boolean hasDecisions(List<Decision> known) {
    return decisions == known;
  }

  boolean hasEnded() {
    return end != null;
  }

  /** Returns whether any policy that decided counts only some outcomes. */
  boolean dependsOnOutcome() {
    List<Decision> all = decisions;
    for (int i = 0; i < all.size(); i++) {
      if (dependsOnOutcome(all.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean dependsOnOutcome(Decision decision) {
    if (!RequestDecision.cast(decision).isCombined()) {
      return decision.policy().count() != Count.ALL;
    }
    List<Decision> parts = decision.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).policy().count() != Count.ALL) {
        return true;
      }
    }
    return false;
  }

  private void end(Decision decision, RequestOutcome outcome) {
    if (!RequestDecision.cast(decision).isCombined()) { // the most common case, without a list
      endPart(decision, outcome);
      return;
    }
    List<Decision> parts = decision.parts();
    for (int i = 0; i < parts.size(); i++) {
      endPart(parts.get(i), outcome);
    }
  }

  private void endPart(Decision part, RequestOutcome outcome) {
    if (part.policy().clearOn() == ClearOn.SUCCESS && outcome != RequestOutcome.OTHER) {
      refunds.end(part, outcome == RequestOutcome.SUCCEEDED);
    } else if (part.policy().count() == outcome.notCounted()) {
      refunds.refund(part);
    }
  }
}
