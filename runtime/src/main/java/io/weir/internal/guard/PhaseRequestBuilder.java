package io.weir.internal.guard;

import io.weir.PermitRequest;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.policy.LivePolicy;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds the permit requests of one phase: of the policies bound to the endpoint or their
 * replacements, and of policies that a policy source adds; without charges that were made before.
 *
 * <p>Confine to one thread. Loops without iterators, since this runs for each request.
 */
class PhaseRequestBuilder {
  private static final DecisionPhase BEFORE = DecisionPhase.BEFORE_AUTHENTICATION;
  private static final DecisionPhase AFTER = DecisionPhase.AFTER_AUTHENTICATION;
  private static final DecisionPhase[] PHASES = DecisionPhase.values();

  final EndpointGuard endpoint;
  private final RequestServices services;
  private final RequestInfo request;
  final DecisionHistory history;
  final CallerTier tier;
  private final @Nullable DecisionPhase phase;
  private final List<PermitRequest> requests = new ArrayList<>();

  /** Whether policies of the source that read the body are left until it was read. */
  private boolean leavesBodyReaders;

  /** Builds the requests of one phase, or those of both together if the phase is null. */
  PhaseRequestBuilder(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      CallerTier tier,
      @Nullable DecisionPhase phase) {
    this.endpoint = endpoint;
    this.services = endpoint.services();
    this.request = request;
    this.history = history;
    this.tier = tier;
    this.phase = phase;
  }

  /**
   * Builds the permit requests of a phase, but for policies that read the body. Waits for a policy
   * source that doesn't answer at once.
   */
  static List<PermitRequest> of(
      EndpointGuard endpoint, RequestInfo request, DecisionHistory history, DecisionPhase phase) {
    RequestServices services = endpoint.services();
    if (AccessGate.overrides(services, request, history, phase)) {
      return List.of();
    }
    CallerTier tier = services.tiers().tier(request);
    AppliedPolicies fromSource = fromSource(endpoint, request, history, phase, tier);
    return of(endpoint, request, history, tier, phase, fromSource);
  }

  /**
   * Builds the permit requests of the policies of a phase that read the body, once it was read.
   * Asks the policy source again, which may replace them.
   */
  static List<PermitRequest> ofBody(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      DecisionPhase phase,
      BodySteps steps) {
    CallerTier tier = endpoint.services().tiers().tier(request);
    return ofBody(
        endpoint,
        request,
        history,
        tier,
        phase,
        steps,
        fromSource(endpoint, request, history, phase, tier));
  }

  /** Does the same without waiting; see {@link #ofAsync}. */
  static <T> CompletionStage<T> ofBodyAsync(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      DecisionPhase phase,
      BodySteps steps,
      Executor resume,
      Function<List<PermitRequest>, CompletionStage<T>> next) {
    RequestServices services = endpoint.services();
    CallerTier tier = services.tiers().tier(request);
    SafePolicySource source = services.policySource();
    Function<AppliedPolicies, CompletionStage<T>> build =
        answer -> next.apply(ofBody(endpoint, request, history, tier, phase, steps, answer));
    return source == null
        ? build.apply(AppliedPolicies.none())
        : source.askAsync(
            request,
            tier,
            phase,
            endpoint.bound(phase),
            history,
            resume,
            answer -> build.apply(noted(answer, history)));
  }

  private static List<PermitRequest> ofBody(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      CallerTier tier,
      DecisionPhase phase,
      BodySteps steps,
      AppliedPolicies fromSource) {
    PhaseRequestBuilder readers = new PhaseRequestBuilder(endpoint, request, history, tier, phase);
    List<AppliedPolicy> applied = fromSource.policies();
    readers.addBound(steps.readers(), applied);
    for (AppliedPolicy each : applied) {
      if (readsBody(endpoint, each)) {
        readers.add(each);
      }
    }
    return readers.requests;
  }

  /**
   * Builds the permit requests of a phase, without waiting.
   *
   * @param resume continues if the policy source hasn't answered at once
   * @param next continues with them; its exceptions are thrown here, or complete the stage
   */
  static <T> CompletionStage<T> ofAsync(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      DecisionPhase phase,
      Executor resume,
      Function<List<PermitRequest>, CompletionStage<T>> next) {
    RequestServices services = endpoint.services();
    if (AccessGate.overrides(services, request, history, phase)) {
      return next.apply(List.of());
    }
    CallerTier tier = services.tiers().tier(request);
    SafePolicySource source = services.policySource();
    if (source == null) {
      return next.apply(of(endpoint, request, history, tier, phase, AppliedPolicies.none()));
    }
    return source.askAsync(
        request,
        tier,
        phase,
        endpoint.bound(phase),
        history,
        resume,
        answer -> next.apply(of(endpoint, request, history, tier, phase, noted(answer, history))));
  }

  /**
   * Builds the permit requests of both phases together, for a request that the access list leaves
   * to policies. Waits for the policy source as {@link #of}.
   *
   * @param leavesBodyReaders whether to leave policies of the source that read the body
   */
  static List<PermitRequest> ofBoth(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      boolean leavesBodyReaders) {
    RequestServices services = endpoint.services();
    CallerTier tier = services.tiers().tier(request);
    if (!services.hasPolicySource()) {
      return of(endpoint, request, history, tier, null, AppliedPolicies.none());
    }
    PhaseRequestBuilder both = new PhaseRequestBuilder(endpoint, request, history, tier, null);
    both.leavesBodyReaders = leavesBodyReaders;
    for (DecisionPhase phase : PHASES) {
      both.add(endpoint.policies(phase), fromSource(endpoint, request, history, phase, tier));
    }
    return both.requests;
  }

  /** Builds the permit requests of an endpoint's own policies, without those of a policy source. */
  static List<PermitRequest> ofEndpoint(
      EndpointGuard endpoint, RequestInfo request, DecisionHistory history) {
    CallerTier tier = tier(endpoint.services(), request);
    return of(endpoint, request, history, tier, null, AppliedPolicies.none());
  }

  /** Returns the permit requests so far; not a copy. */
  final List<PermitRequest> requests() {
    return requests;
  }

  static CompletionStage<List<PermitRequest>> ofBothAsync(
      EndpointGuard endpoint, RequestInfo request, DecisionHistory history, Executor resume) {
    RequestServices services = endpoint.services();
    if (AccessGate.overrides(services, request, history, null)) {
      return CompletableFuture.completedFuture(List.of());
    }
    CallerTier tier = tier(services, request);
    SafePolicySource source = services.policySource();
    if (source == null) {
      return CompletableFuture.completedFuture(
          of(endpoint, request, history, tier, null, AppliedPolicies.none()));
    }
    PhaseRequestBuilder both = new PhaseRequestBuilder(endpoint, request, history, tier, null);
    CompletionStage<List<PermitRequest>> all = CompletableFuture.completedFuture(both.requests);
    for (DecisionPhase phase : PHASES) {
      all =
          isKnown(all) // no stage for each phase if the source answers at once
              ? both.andAsync(source, phase, resume)
              : all.thenCompose(before -> both.andAsync(source, phase, resume));
    }
    return all;
  }

  private static boolean isKnown(CompletionStage<?> stage) {
    return stage instanceof CompletableFuture<?> future
        && future.isDone()
        && !future.isCompletedExceptionally();
  }

  private CompletionStage<List<PermitRequest>> andAsync(
      SafePolicySource source, DecisionPhase phase, Executor resume) {
    return source.askAsync(
        request,
        tier,
        phase,
        endpoint.bound(phase),
        history,
        resume,
        answer -> {
          add(endpoint.policies(phase), noted(answer, history));
          return CompletableFuture.completedFuture(requests);
        });
  }

  /**
   * Returns the tier that the application names, else, without a policy source, that of the
   * request.
   */
  static CallerTier tier(RequestServices services, RequestInfo request) {
    CallerTier known = services.tiers().tier(request);
    return known.isNone() && !services.hasPolicySource()
        ? request.tier().map(CallerTier::named).orElse(known)
        : known;
  }

  static AppliedPolicies fromSource(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      DecisionPhase phase,
      CallerTier tier) {
    SafePolicySource source = endpoint.services().policySource();
    return source == null
        ? AppliedPolicies.none()
        : noted(source.await(request, tier, phase, endpoint.bound(phase), history), history);
  }

  @SuppressWarnings("ReferenceEquality") // compared by identity
  private static AppliedPolicies noted(AppliedPolicies answer, DecisionHistory history) {
    if (!answer.isComplete()) {
      history.markIncomplete();
    }
    if (answer == AppliedPolicies.noneInAnyPhase()) {
      history.markSourceSilent();
    }
    return answer;
  }

  /**
   * Takes a short cut for one policy that reads nothing but the key, and for one of the source, the
   * most common cases.
   */
  private static List<PermitRequest> of(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      CallerTier tier,
      @Nullable DecisionPhase phase,
      AppliedPolicies fromSource) {
    List<GuardedPolicy> policies = phase == null ? endpoint.all() : endpoint.bodiless(phase);
    List<AppliedPolicy> applied = fromSource.policies();
    boolean nothingApplied = applied.isEmpty();
    boolean nothingWaits = phase == BEFORE || history.waiting().isEmpty();
    if (nothingApplied && policies.isEmpty() && nothingWaits) {
      return List.of();
    }
    if (nothingApplied && policies.size() == 1 && history.isNew() && nothingWaits) {
      GuardedPolicy only = policies.get(0);
      if (only.reader().readsKeyAlone() && !only.bans() && !only.excepts(request)) {
        return List.of(history.measured(only.request(request, endpoint.services().tiers(), tier)));
      }
    }
    if (policies.isEmpty()
        && applied.size() == 1
        && nothingWaits
        && !asksEarly(phase, applied)
        && !readsBody(endpoint, applied.get(0))) {
      PermitRequest only = wanted(endpoint, request, history, applied.get(0));
      return only == null ? List.of() : List.of(history.measured(only));
    }
    PhaseRequestBuilder all = new PhaseRequestBuilder(endpoint, request, history, tier, phase);
    all.leavesBodyReaders = phase != null;
    all.add(policies, fromSource);
    if (phase == AFTER && !nothingWaits) {
      all.addWaiting();
    }
    return all.requests;
  }

  private static boolean asksEarly(@Nullable DecisionPhase phase, List<AppliedPolicy> applied) {
    return phase == BEFORE && !applied.get(0).policy().when().isEmpty();
  }

  /** Adds what the phase before has left here, since conditions have read the user. */
  final void addWaiting() {
    for (WaitingPolicy each : history.waiting()) {
      AppliedPolicy applied = each.applied();
      if (each.isBound()) {
        GuardedPolicy bound = endpoint.find(each.bound());
        if (bound != null && bound.phase() == BEFORE) {
          addNow(bound, applied);
        }
      } else if (applied != null && each.endpoint().equals(request.endpoint())) {
        addNow(applied);
      }
    }
  }

  final void add(List<GuardedPolicy> policies, AppliedPolicies fromSource) {
    List<AppliedPolicy> applied = fromSource.policies();
    addBound(policies, applied);
    for (int i = 0; i < applied.size(); i++) {
      if (leavesBodyReaders && readsBody(endpoint, applied.get(i))) {
        history.addBodyReader(applied.get(i));
      } else {
        add(applied.get(i));
      }
    }
  }

  private static boolean readsBody(EndpointGuard endpoint, AppliedPolicy applied) {
    AppliedPolicyReader reader = endpoint.services().appliedPolicies();
    return reader != null
        && !applied.isOff()
        && reader.readsBody(applied)
        && !isBound(endpoint, applied);
  }

  private void addBound(List<GuardedPolicy> policies, List<AppliedPolicy> applied) {
    for (int i = 0; i < policies.size(); i++) {
      GuardedPolicy each = policies.get(i);
      add(each, applied.isEmpty() ? null : inPlaceOf(each, applied));
    }
  }

  private void add(AppliedPolicy applied) {
    if (phase == BEFORE && waitsForUser(applied)) {
      history.addWaiting(WaitingPolicy.of(applied, request.endpoint()));
    } else {
      addNow(applied);
    }
  }

  private boolean waitsForUser(AppliedPolicy applied) {
    AppliedPolicyReader reader = services.appliedPolicies();
    return reader != null
        && !applied.isOff()
        && !isBound(endpoint, applied)
        && reader.waitsForUser(applied, request, history);
  }

  /** Adds the permit request of a policy of the source, unless it replaces a bound one. */
  void addNow(AppliedPolicy applied) {
    PermitRequest wanted = wanted(endpoint, request, history, applied);
    if (wanted != null) {
      addOnce(wanted);
    }
  }

  private void add(GuardedPolicy bound, @Nullable AppliedPolicy replacement) {
    boolean isOff = replacement != null && replacement.isOff();
    if (phase == BEFORE && !isOff && bound.waitsForUser(request, history)) {
      LivePolicy live = bound.bound();
      history.addWaiting(
          new WaitingPolicy(live.name(), live.current().spec(), replacement, request.endpoint()));
    } else {
      addNow(bound, replacement);
    }
  }

  /** Adds the permit request of a bound policy, or of its replacement. */
  void addNow(GuardedPolicy bound, @Nullable AppliedPolicy replacement) {
    if (replacement == null) {
      bound
          .request(request, history, services.tiers(), tier)
          .filter(wanted -> !isBanned(bound, wanted))
          .ifPresent(this::collect);
    } else if (replacement.isOff()) {
      bound.usage().met();
    } else {
      bound
          .request(request, history, replacement, services.tiers(), tier)
          .filter(wanted -> !isBanned(bound, wanted))
          .filter(wanted -> isLeftToTheStore(services, history, replacement, wanted))
          .ifPresent(this::collect);
    }
  }

  private boolean isBanned(GuardedPolicy bound, PermitRequest wanted) {
    return BanGate.refuses(services, request, history, bound.bound().current(), wanted);
  }

  private @Nullable AppliedPolicy inPlaceOf(GuardedPolicy bound, List<AppliedPolicy> applied) {
    for (int i = 0; i < applied.size(); i++) {
      AppliedPolicy each = applied.get(i);
      if (each.policy().name().equals(bound.bound().name())) {
        return each.isOff() || canReplace(bound, each) ? each : null;
      }
    }
    return null;
  }

  private boolean canReplace(GuardedPolicy bound, AppliedPolicy replacement) {
    AppliedPolicyReader reader = services.appliedPolicies();
    return reader != null && reader.canReplace(bound.bound().current(), replacement.policy());
  }

  /** Returns whether it names a policy of this endpoint, even one that another phase decides. */
  static boolean isBound(EndpointGuard endpoint, AppliedPolicy applied) {
    List<GuardedPolicy> policies = endpoint.all();
    for (int i = 0; i < policies.size(); i++) {
      if (policies.get(i).bound().name().equals(applied.policy().name())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Makes the permit request of a policy of the source; null if it replaces a bound one, or leaves
   * nothing to the store.
   */
  private static @Nullable PermitRequest wanted(
      EndpointGuard endpoint, RequestInfo request, DecisionHistory history, AppliedPolicy applied) {
    RequestServices services = endpoint.services();
    AppliedPolicyReader reader = services.appliedPolicies();
    if (reader == null || applied.isOff() || isBound(endpoint, applied)) {
      return null;
    }
    PermitRequest wanted = reader.request(applied, request, history);
    return wanted != null && isLeftToTheStore(services, history, applied, wanted) ? wanted : null;
  }

  /** Returns whether the store decides; a refusal of the source itself is added to the history. */
  private static boolean isLeftToTheStore(
      RequestServices services,
      DecisionHistory history,
      AppliedPolicy applied,
      PermitRequest wanted) {
    if (applied.refusal().isPresent()) {
      history.refuse(PhaseDecision.of(services, applied, history.measured(wanted)));
    }
    return applied.refusal().isEmpty();
  }

  /** Adds a request unless its bucket is asked already, by the other phase of a woven call. */
  private void addOnce(PermitRequest wanted) {
    for (int i = 0; i < requests.size(); i++) {
      PermitRequest known = requests.get(i);
      if (known.policy().spec().equals(wanted.policy().spec())
          && known.key().equals(wanted.key())) {
        return;
      }
    }
    collect(wanted);
  }

  private void collect(PermitRequest wanted) {
    requests.add(history.measured(wanted));
  }
}
