package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.RateLimiter;
import io.weir.annotation.Count;
import io.weir.internal.permits.CombinedDecision;
import io.weir.internal.permits.RequestDecision;
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
 * What was decided of one request so far: what each policy has charged it, what the caller is told,
 * and what is refunded in the end.
 *
 * <p>Safe for concurrent use, as far as decisions are added one after the other.
 */
class DecisionHistory {
  private final RateLimiter limiter;

  /** Not an object of its own for each request. */
  private static final AtomicReferenceFieldUpdater<DecisionHistory, @Nullable Count> NOT_COUNTED =
      AtomicReferenceFieldUpdater.newUpdater(DecisionHistory.class, Count.class, "notCounted");

  private static final VarHandle DECISIONS = listHandle("decisions");

  private static final VarHandle REFUSALS = listHandle("refusals");

  /** What doesn't count, once that is known. */
  private volatile @Nullable Count notCounted;

  /** One for each phase that decided; replaced whole. */
  @SuppressWarnings("NullAway.Init") // by its handle
  private volatile List<Decision> decisions;

  /** The number of decisions that are final, the first ones: no refusal refunds these. */
  private volatile int kept;

  /** Whether all others were refunded, since one refused. */
  private volatile boolean refunded;

  /** Whether a policy charged in two steps. */
  private volatile boolean inSteps;

  /** Whether the policies of a source weren't known in time. */
  private volatile boolean incomplete;

  /** Not volatile: a thread that doesn't see it asks the source once more. */
  private boolean sourceIsSilent;

  /** Of the phase that is being decided: what a source refuses, whatever is left. */
  @SuppressWarnings("NullAway.Init") // by its handle
  private volatile List<Decision> refusals;

  /** How long the phase that is being decided has waited for a policy source, in nanoseconds. */
  private volatile long waited;

  /** Only of a request of which any resolver or condition was asked. */
  private volatile @Nullable RequestAnswers answers;

  DecisionHistory(RateLimiter limiter) {
    this.limiter = limiter;
    // Nobody else has it yet: as volatile writes these would be most of what a history costs.
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

  /** Whether no policy can have charged this request before. */
  boolean isNew() {
    return decisions.isEmpty();
  }

  /** Where a policy's decisions belong. */
  DecisionHistory of(String policy) {
    return this;
  }

  /**
   * Makes final what was decided so far: whatever it admitted has run. What was refunded isn't
   * among it.
   */
  void keep() {
    if (!refunded) {
      kept = decisions.size();
    }
  }

  /**
   * Forgets what was refunded: a request that goes on in spite of a refusal has been charged no
   * more than what is final.
   *
   * @return whether anything was forgotten
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
   * How many permits of a request's cost a policy hasn't charged yet, so that nothing is charged
   * twice.
   *
   * @param cost what the request costs, 0 and more
   * @return permits; negative if there is nothing to decide any more, as after a policy that has
   *     decided without charging: in shadow mode, or without its store
   */
  long rest(String policy, long cost) {
    return decisions.isEmpty() ? cost : rest(cost, part -> part.policy().name().equals(policy));
  }

  /** The same of one bucket: a source may apply several policies of one name. */
  long rest(BucketSpec bucket, Key key, long cost) {
    return decisions.isEmpty()
        ? cost
        : rest(cost, part -> part.policy().spec().equals(bucket) && part.key().equals(key));
  }

  private long rest(long cost, Predicate<Decision> isOf) {
    boolean decided = false;
    boolean free = false;
    long charged = 0;
    for (Decision each : decisions) {
      for (Decision part : each.parts()) {
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

  /** What resolvers and conditions have said of this request. */
  RequestAnswers answers() {
    RequestAnswers known = answers;
    if (known == null) {
      known = new RequestAnswers();
      answers = known;
    }
    return known;
  }

  /** The source of policies has nothing to say in any phase, until the request moves on. */
  void sourceIsSilent() {
    sourceIsSilent = true;
  }

  /** The source has to be asked where the request is now. */
  void movesOn() {
    sourceIsSilent = false;
  }

  /** Whether the source needn't be asked again where the request is. */
  boolean isSourceSilent() {
    return sourceIsSilent;
  }

  /** The next decision is made without the policies of a source. */
  void isIncomplete() {
    incomplete = true;
  }

  /** Whether the source of policies has known all that it had to say so far. */
  boolean knowsAll() {
    return !incomplete;
  }

  /** The phase that is being decided has waited for a policy source. */
  void waited(long nanos) {
    long before = waited; // phases come one after the other
    waited = before + Math.max(0, nanos);
  }

  /** How long the phase that is being decided has waited so far, in nanoseconds. */
  long waited() {
    return waited;
  }

  /** The same; the next phase begins anew. */
  long takeWaited() {
    long before = waited;
    if (before > 0) {
      waited = 0;
    }
    return before;
  }

  /** A source refuses the request, or would if the policy weren't in shadow mode. */
  void refuse(Decision refusal) {
    List<Decision> all = new ArrayList<>(refusals);
    all.add(refusal);
    refusals = List.copyOf(all);
  }

  /** Takes out what a source refuses of the phase that is decided now. */
  List<Decision> takeRefusals() {
    List<Decision> all = refusals;
    if (!all.isEmpty()) {
      refusals = List.of();
    }
    return all;
  }

  /** Adds what another reading of the request has met before it is decided. */
  void include(DecisionHistory reading) {
    if (reading.incomplete) {
      incomplete = true;
    }
    waited = Math.max(waited, reading.takeWaited());
    for (Decision each : reading.takeRefusals()) {
      if (refusals.stream().noneMatch(known -> haveOneBucket(known, each))) {
        refuse(each);
      }
    }
  }

  private static boolean haveOneBucket(Decision one, Decision other) {
    return one.policy().spec().equals(other.policy().spec()) && one.key().equals(other.key());
  }

  void add(Decision decision) {
    decisions = and(decision);
    Count count = notCounted;
    if (count != null) {
      refund(decision, count);
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

  /** What the caller is told; of a policy that charged in two steps only the last one. */
  Decision told() {
    return told(decisions);
  }

  /** What the caller is told of all decisions and one more, which isn't added. */
  Decision toldWith(Decision refusal) {
    return told(and(refusal));
  }

  private Decision told(List<Decision> all) {
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
      return CombinedDecision.incomplete(all);
    }
    return all.size() == 1 ? all.get(0) : CombinedDecision.of(all);
  }

  /** The final charges of a refused request whose buckets lack permits for the next try. */
  List<PermitRequest> lackingAfter(Decision refusal) {
    return FinalCharges.lacking(decisions.subList(0, kept), and(refusal));
  }

  /** Whether anything is final. */
  boolean hasFinal() {
    return kept > 0;
  }

  /** The decisions to report of a request that is refused uncounted: those that stay charged. */
  Optional<Decision> toldOfKept() {
    return kept == 0 ? Optional.empty() : Optional.of(told(decisions.subList(0, kept)));
  }

  /**
   * All decisions together.
   *
   * @throws IllegalStateException if there is none
   */
  Decision decision() {
    List<Decision> all = decisions;
    if (all.isEmpty()) {
      throw new IllegalStateException("nothing was decided");
    }
    return together(all);
  }

  /** Tells what was decided so far, now that the request is over. */
  void tell(RequestReport report, RequestInfo request) {
    report.completed(request, decisions, incomplete);
  }

  /** Refunds whatever the request was charged and isn't final: it is refused. */
  void refundOthers() {
    refunded = true;
    List<Decision> all = decisions;
    for (int i = kept; i < all.size(); i++) { // without an iterator, as below
      limiter.refund(all.get(i));
    }
  }

  /** Refunds what doesn't count, also of what is decided later. Only the first call matters. */
  void end(Count count) {
    if (NOT_COUNTED.compareAndSet(this, null, count)) {
      List<Decision> all = decisions;
      for (int i = 0; i < all.size(); i++) {
        refund(all.get(i), count);
      }
    }
  }

  /** Whether any policy that decided counts only some outcomes. */
  boolean dependsOnOutcome() {
    List<Decision> all = decisions;
    for (int i = 0; i < all.size(); i++) {
      List<Decision> parts = all.get(i).parts();
      for (int part = 0; part < parts.size(); part++) {
        if (parts.get(part).policy().count() != Count.ALL) {
          return true;
        }
      }
    }
    return false;
  }

  private void refund(Decision decision, Count count) {
    List<Decision> parts = decision.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).policy().count() == count) {
        limiter.refund(parts.get(i));
      }
    }
  }
}
