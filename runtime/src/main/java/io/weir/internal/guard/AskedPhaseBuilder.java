package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.internal.extension.CallFailures;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds the permit requests of a request that somebody asks about, and notes for each policy what
 * it needs that the question doesn't give, and which part of the application has failed. Confine to
 * one thread.
 */
final class AskedPhaseBuilder extends PhaseRequestBuilder {
  private final AskedRequest request;
  private final CallFailures failures;
  private final AskedPermits found;

  /** Reasons that concern all policies of the step. */
  private final Set<String> ofAll;

  /** Reasons that concern a policy of the source alone, since only its key was read. */
  private final Set<String> ofKeys = new HashSet<>();

  /** Whether the access list decides, and no policy. */
  private final boolean isOverridden;

  private AskedPhaseBuilder(
      EndpointGuard endpoint,
      AskedRequest request,
      AskedHistory history,
      CallerTier tier,
      @Nullable DecisionPhase phase,
      CallFailures failures,
      Set<String> ofAll) {
    super(endpoint, request, history, tier, phase);
    this.request = request;
    this.failures = failures;
    this.ofAll = ofAll;
    this.found = new AskedPermits(history);
    this.isOverridden = AccessGate.overrides(endpoint.services(), request, history, phase);
    Set<String> ofAccess = reasons(request, failures);
    if (!isOverridden && !ofAccess.isEmpty()) {
      found.addUnread(AccessGate.POLICY, ofAccess, true);
    }
  }

  /** Begins with nothing, for one phase; for both at once if it is null. */
  static AskedPhaseBuilder begin(
      EndpointGuard endpoint,
      AskedRequest request,
      AskedHistory history,
      @Nullable DecisionPhase phase,
      CallFailures failures) {
    CallerTier tier = tier(endpoint.services(), request);
    return new AskedPhaseBuilder(
        endpoint, request, history, tier, phase, failures, reasons(request, failures));
  }

  /** Adds the policies of a phase, also those of the policy source. */
  AskedPhaseBuilder and(DecisionPhase phase) {
    if (isOverridden) {
      return this;
    }
    AppliedPolicies applied = AppliedPolicies.none();
    InvalidRequestException invalid = null;
    try {
      applied = fromSource(endpoint, request, history, phase, tier);
    } catch (InvalidRequestException unread) {
      invalid = unread;
    }
    Set<String> ofSource = reasons(request, failures);
    if (invalid != null && ofSource.isEmpty()) {
      throw invalid;
    }
    add(endpoint.policies(phase), applied);
    if (phase == DecisionPhase.AFTER_AUTHENTICATION) {
      addWaiting();
    }
    ofSource.removeAll(ofKeys);
    ofAll.addAll(ofSource);
    return this;
  }

  /** Adds all policies that are bound to the endpoint, without those of the policy source. */
  AskedPhaseBuilder andBound() {
    add(endpoint.all(), AppliedPolicies.none());
    return this;
  }

  /** Returns what was found, with more reasons that concern all of it. */
  AskedPermits found(Set<String> more) {
    AskedPermits all = new AskedPermits(history);
    for (AskedPermits.Asked each : found.all()) {
      Set<String> reasons = new LinkedHashSet<>(each.reasons());
      reasons.addAll(ofAll);
      reasons.addAll(more);
      all.add(each.request(), reasons);
    }
    found.unread().forEach(all::addUnread);
    return all;
  }

  @Override
  void addNow(GuardedPolicy bound, @Nullable AppliedPolicy replacement) {
    boolean mayRefuse = !bound.bound().current().shadow();
    read(bound.bound().name(), mayRefuse, () -> super.addNow(bound, replacement));
  }

  @Override
  void addNow(AppliedPolicy applied) {
    AppliedPolicyReader reader = endpoint.services().appliedPolicies();
    if (reader == null || applied.isOff() || isBound(endpoint, applied)) {
      return;
    }
    read(
        applied.policy().name(),
        !applied.policy().shadow(),
        () -> {
          super.addNow(applied);
          reader.readKey(applied, request);
        });
  }

  private void read(String policy, boolean mayRefuse, Runnable reading) {
    List<PermitRequest> requests = requests();
    int before = requests.size();
    InvalidRequestException invalid = null;
    try {
      reading.run();
    } catch (InvalidRequestException unread) {
      invalid = unread;
    }
    Set<String> reasons = reasons(request, failures);
    ofKeys.addAll(reasons);
    if (invalid != null && reasons.isEmpty()) {
      throw invalid;
    }
    for (PermitRequest each : requests.subList(before, requests.size())) {
      found.add(each, reasons);
    }
    if (requests.size() == before && !reasons.isEmpty()) {
      found.addUnread(policy, reasons, mayRefuse);
    }
  }

  private static Set<String> reasons(AskedRequest request, CallFailures failures) {
    Set<String> reasons = new LinkedHashSet<>();
    request.takeMissing().forEach(each -> reasons.add("it needs " + each + ", which wasn't given"));
    reasons.addAll(failures.take());
    return reasons;
  }
}
