package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects all decisions of a request, of its parts and of the woven calls within it, and reports
 * them to the policy source once.
 *
 * <p>Safe for concurrent use.
 */
final class DecisionReport {
  /** Finds no source once the application has ended. */
  private final Supplier<@Nullable SafePolicySource> current;

  private final @Nullable DecisionReport around;

  /** Replaces the decisions of parts and calls once the report was sent. */
  private static final List<Decision> SENT = Collections.unmodifiableList(new ArrayList<>());

  private static final AtomicReferenceFieldUpdater<DecisionReport, @Nullable List<Decision>>
      OTHERS = others();

  /** The decisions of parts and calls; null if there are none, as for most requests. */
  private volatile @Nullable List<Decision> others;

  private DecisionReport(
      Supplier<@Nullable SafePolicySource> current, @Nullable DecisionReport around) {
    this.current = current;
    this.around = around;
  }

  /**
   * Makes an empty report, within that of the request that a call belongs to; null without a policy
   * source.
   */
  static @Nullable DecisionReport of(
      Supplier<@Nullable SafePolicySource> current, @Nullable DecisionReport around) {
    return current.get() == null ? null : new DecisionReport(current, around);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<DecisionReport, @Nullable List<Decision>> others() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(DecisionReport.class, List.class, "others");
  }

  /** Adds the decision of a part or a call; false if the report was sent already. */
  @SuppressWarnings("ReferenceEquality") // SENT is compared by identity
  boolean add(Decision decision) {
    while (true) {
      List<Decision> before = others;
      if (before == SENT) {
        return false;
      }
      List<Decision> more = before == null ? new ArrayList<>(2) : new ArrayList<>(before);
      more.add(decision);
      if (OTHERS.compareAndSet(this, before, more)) {
        return true;
      }
    }
  }

  /** Sends the report at the end of the request. Only the first call has an effect. */
  @SuppressWarnings("ReferenceEquality") // SENT is compared by identity
  void completed(RequestInfo request, List<Decision> decided, boolean incomplete) {
    List<Decision> more = OTHERS.getAndSet(this, SENT);
    if (more == SENT || more == null && decided.isEmpty()) {
      return;
    }
    Decision all = all(decided, more, incomplete);
    if (around == null || !around.add(all)) {
      SafePolicySource source = current.get();
      if (source != null) {
        source.completed(request, all);
      }
    }
  }

  private static Decision all(
      List<Decision> decided, @Nullable List<Decision> more, boolean incomplete) {
    if (more == null && decided.size() == 1 && !incomplete) {
      return decided.get(0); // the most common case
    }
    List<Decision> all = new ArrayList<>(decided);
    if (more != null) {
      all.addAll(more);
    }
    return incomplete ? DecisionCombiner.incomplete(all) : DecisionCombiner.of(all);
  }
}
