package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.internal.permits.CombinedDecision;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What a policy source is told of a request in the end: all that was decided of it, of its parts,
 * and of the woven calls within it, once.
 *
 * <p>Safe for concurrent use.
 */
final class RequestReport {
  private final SafePolicySource source;
  private final @Nullable RequestReport around;

  /** What stands for the decisions of others once the source was told. */
  private static final List<Decision> TOLD = Collections.unmodifiableList(new ArrayList<>());

  private static final AtomicReferenceFieldUpdater<RequestReport, @Nullable List<Decision>> OTHERS =
      others();

  /** Of parts and calls, which most requests don't have: null then. */
  private volatile @Nullable List<Decision> others;

  private RequestReport(SafePolicySource source, @Nullable RequestReport around) {
    this.source = source;
    this.around = around;
  }

  /**
   * Nothing was decided yet.
   *
   * @param around that of the request which a call is part of
   * @return null where there is nobody to tell
   */
  static @Nullable RequestReport of(WeirRuntime weir, @Nullable RequestReport around) {
    SafePolicySource source = weir.policySource().orElse(null);
    return source == null ? null : new RequestReport(source, around);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<RequestReport, @Nullable List<Decision>> others() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(RequestReport.class, List.class, "others");
  }

  /**
   * Adds what was decided of a part or a call.
   *
   * @return false if the source was told before
   */
  @SuppressWarnings("ReferenceEquality") // TOLD is a mark
  boolean add(Decision decision) {
    while (true) {
      List<Decision> before = others;
      if (before == TOLD) {
        return false;
      }
      List<Decision> more = before == null ? new ArrayList<>(2) : new ArrayList<>(before);
      more.add(decision);
      if (OTHERS.compareAndSet(this, before, more)) {
        return true;
      }
    }
  }

  /** The end of the request is known. Only the first call matters. */
  @SuppressWarnings("ReferenceEquality") // TOLD is a mark
  void completed(RequestInfo request, List<Decision> decided, boolean incomplete) {
    List<Decision> more = OTHERS.getAndSet(this, TOLD);
    if (more == TOLD || more == null && decided.isEmpty()) {
      return;
    }
    Decision all = all(decided, more, incomplete);
    if (around == null || !around.add(all)) {
      source.completed(request, all);
    }
  }

  private static Decision all(
      List<Decision> decided, @Nullable List<Decision> more, boolean incomplete) {
    if (more == null && decided.size() == 1 && !incomplete) {
      return decided.get(0); // as it is of most requests
    }
    List<Decision> all = new ArrayList<>(decided);
    if (more != null) {
      all.addAll(more);
    }
    return incomplete ? CombinedDecision.incomplete(all) : CombinedDecision.of(all);
  }
}
