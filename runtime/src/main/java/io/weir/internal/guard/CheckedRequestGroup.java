package io.weir.internal.guard;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.DecisionSpan;
import io.weir.store.BucketId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides several checked requests together: all are admitted, or none is charged. Each bucket is
 * asked once, for the sum of what they take of it.
 *
 * <p>Confine to one thread at a time.
 */
final class CheckedRequestGroup {
  private final RequestServices services;
  private final @Nullable DecisionSpan span;
  private final List<Member> members = new ArrayList<>();
  private final Map<BucketId, PermitRequest> sums = new LinkedHashMap<>();

  private record Member(
      CheckedRequest request, List<PermitRequest> wanted, List<Decision> refusals) {}

  CheckedRequestGroup(RequestServices services) {
    this.services = services;
    this.span = services.limiter().currentSpan();
  }

  CheckedRequestGroup and(CheckedRequest request, List<PermitRequest> wanted) {
    members.add(new Member(request, wanted, request.history().takeRefusals()));
    for (PermitRequest each : wanted) {
      sums.merge(bucket(each), each, CheckedRequestGroup::sum);
    }
    return this;
  }

  private static BucketId bucket(PermitRequest request) {
    return new BucketId(request.policy().spec(), request.key());
  }

  /** Where they bring different limits or loads, the one that admits less holds. */
  private static PermitRequest sum(PermitRequest one, PermitRequest other) {
    Key key = one.key();
    PermitRequest stricter = one.limit() <= other.limit() ? one : other;
    return new PermitRequest(
            stricter.policy(),
            key,
            Math.addExact(one.permits(), other.permits()),
            stricter.limit(),
            Math.max(one.used(), other.used()))
        .withLoad(busier(one.load(), other.load()));
  }

  private static double busier(double one, double other) {
    if (Double.isNaN(one) || Double.isNaN(other)) {
      return Double.isNaN(one) ? other : one;
    }
    return Math.max(one, other);
  }

  CompletionStage<List<CheckResult>> decide() {
    List<Decision> refusals = recordRefusals();
    if (sums.isEmpty() || refusals.stream().anyMatch(each -> !each.admitted())) {
      if (!refusals.isEmpty()) {
        services.limiter().trace(span, DecisionCombiner.of(refusals));
      }
      return CompletableFuture.completedFuture(answers(Map.of()));
    }
    long waited = 0;
    for (Member each : members) {
      waited = Math.max(waited, each.request.history().takeWaited());
    }
    return services
        .limiter()
        .tryAcquireAsync(List.copyOf(sums.values()), waited, span)
        .thenApply(decision -> answers(byBucket(decision)));
  }

  private List<Decision> recordRefusals() {
    List<Decision> all = new ArrayList<>();
    for (Member member : members) {
      for (Decision each : member.refusals) {
        services.limiter().record(each);
        all.add(each);
      }
    }
    return all;
  }

  private Map<BucketId, Decision> byBucket(Decision decision) {
    Map<BucketId, Decision> parts = new LinkedHashMap<>();
    List<BucketId> buckets = List.copyOf(sums.keySet());
    for (int i = 0; i < buckets.size(); i++) {
      parts.put(buckets.get(i), decision.parts().get(i));
    }
    return parts;
  }

  private List<CheckResult> answers(Map<BucketId, Decision> parts) {
    boolean admitted = isAdmitted(parts.values());
    List<CheckResult> answers = new ArrayList<>(members.size());
    for (Member each : members) {
      answers.add(answer(each, parts, admitted));
    }
    return answers;
  }

  private static boolean isAdmitted(Collection<Decision> parts) {
    boolean admitted = true;
    for (Decision each : parts) {
      admitted &= each.admitted();
    }
    return admitted;
  }

  private static CheckResult answer(
      Member member, Map<BucketId, Decision> parts, boolean admitted) {
    List<Decision> own = new ArrayList<>(member.refusals);
    for (PermitRequest each : member.wanted) {
      Decision part = parts.get(bucket(each));
      if (part != null) {
        own.add(admitted ? RequestDecision.cast(part).withPermits(each.permits()) : part);
      }
    }
    DecisionHistory history = member.request.history();
    return own.isEmpty()
        ? history.result(Optional.empty())
        : member.request.completed(history.decided(own));
  }
}
