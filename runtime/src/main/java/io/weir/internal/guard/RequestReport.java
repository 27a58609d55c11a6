package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
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

  /** Of parts and calls, which most requests don't have. */
  private List<Decision> others = List.of();

  private boolean told;

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

  /**
   * Adds what was decided of a part or a call.
   *
   * @return false if the source was told before
   */
  synchronized boolean add(Decision decision) {
    if (!told) {
      List<Decision> more = new ArrayList<>(others);
      more.add(decision);
      others = more;
    }
    return !told;
  }

  /** The end of the request is known. */
  void completed(RequestInfo request, List<Decision> decided, boolean incomplete) {
    Decision all = all(decided, incomplete);
    if (all != null && (around == null || !around.add(all))) {
      source.completed(request, all);
    }
  }

  /** Null if nothing was decided, or the source was told before. */
  private synchronized @Nullable Decision all(List<Decision> decided, boolean incomplete) {
    if (told) {
      return null;
    }
    told = true;
    if (others.isEmpty() && decided.size() == 1 && !incomplete) {
      return decided.get(0); // as it is of most requests
    }
    List<Decision> all = new ArrayList<>(decided);
    all.addAll(others);
    if (all.isEmpty()) {
      return null;
    }
    return incomplete ? RequestDecision.incomplete(all) : RequestDecision.of(all);
  }
}
