package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.adapter.BodySource;
import io.weir.internal.body.BodyFormats;
import io.weir.internal.key.BodyUse;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Divides the policies of a phase in two steps, since the body is read only for requests that all
 * other policies admit.
 *
 * @param bodiless the policies that don't read the body
 * @param readers those that do
 * @param ofSource those that a policy source applies to this request, and that do
 * @param applied reads those of the source; empty if there are none
 */
record BodySteps(
    List<GuardedPolicy> bodiless,
    List<GuardedPolicy> readers,
    List<AppliedPolicy> ofSource,
    Optional<AppliedPolicyReader> applied) {
  /** Divides the policies; returns null if none reads the body, as nearly everywhere. */
  static @Nullable BodySteps of(List<GuardedPolicy> policies) {
    List<GuardedPolicy> readers = policies.stream().filter(GuardedPolicy::readsBody).toList();
    return readers.isEmpty()
        ? null
        : new BodySteps(
            policies.stream().filter(each -> !each.readsBody()).toList(),
            readers,
            List.of(),
            Optional.empty());
  }

  /**
   * Adds the policies that a source applies to one request.
   *
   * @param bound null if no bound policy reads the body
   * @param reader reads those of the source; null if the application has ended
   * @return null if there are neither
   */
  static @Nullable BodySteps with(
      @Nullable BodySteps bound,
      List<AppliedPolicy> ofSource,
      @Nullable AppliedPolicyReader reader) {
    if (ofSource.isEmpty() || reader == null) {
      return bound;
    }
    return bound == null
        ? new BodySteps(List.of(), List.of(), ofSource, Optional.of(reader))
        : new BodySteps(bound.bodiless, bound.readers, ofSource, Optional.of(reader));
  }

  /**
   * Returns what a request's body is read for; empty if no policy that holds reads it.
   *
   * @throws InvalidRequestException if the adapter can't read bodies
   */
  Optional<BodyFormats> formats(RequestInfo request, DecisionHistory history) {
    BodyUse use = BodyUse.NONE;
    boolean inShadow = true;
    for (GuardedPolicy each : readers) {
      if (each.wantsBody(request, history)) {
        use = use.and(each.reader().body());
        inShadow &= each.bound().current().shadow();
      }
    }
    for (AppliedPolicy each : ofSource) {
      BodyUse own = applied.orElseThrow().bodyUse(each, request, history);
      use = use.and(own);
      inShadow &= !own.isAny() || each.policy().shadow();
    }
    inShadow |= history.access().isMeasuredOnly();
    if (use.isAny() && !inShadow && !(request instanceof BodySource)) {
      throw new InvalidRequestException("The body can't be read here.");
    }
    return use.isAny() && request instanceof BodySource
        ? Optional.of(new BodyFormats(use.forms(), use.json(), inShadow))
        : Optional.empty();
  }
}
