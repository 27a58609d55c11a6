package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.RateLimitExceededException;
import io.weir.annotation.Count;
import io.weir.internal.http.HeaderField;
import io.weir.internal.http.Refusal;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides one request by the policies of all endpoints that it is dispatched to, in each adapter
 * that it passes: in two phases at each endpoint. When its response is known, charges that don't
 * count are refunded.
 *
 * <p>A policy charges a request once, wherever the request meets it; if it costs more at a later
 * endpoint, the difference is charged too. A refusal refunds what the request was charged since the
 * last decision that is {@linkplain #keep() final}: a request that is refused at the second of two
 * endpoints has used the first. The header fields report all decisions.
 *
 * <p>Loops instead of streams, here and in what it calls: streams were most of the cost of a
 * decision. Safe for concurrent use, as far as the phases come one after the other.
 */
public final class GuardedRequest {
  /**
   * Holds the request as an adapter's own object for it, so that one attribute is enough for both:
   * each attribute costs the container an entry of a map. Safe for concurrent use.
   */
  @FunctionalInterface
  public interface Holder {
    /**
     * Returns the request.
     *
     * @return the same object at each call
     */
    GuardedRequest guarded();
  }

  /**
   * Names the attribute of a request in which one adapter passes it to the next, as a {@link
   * Holder}.
   */
  public static final String ATTRIBUTE = GuardedRequest.class.getName();

  private static final AtomicReferenceFieldUpdater<GuardedRequest, EndpointGuard> ENDPOINT =
      AtomicReferenceFieldUpdater.newUpdater(GuardedRequest.class, EndpointGuard.class, "endpoint");

  private static final AtomicReferenceFieldUpdater<GuardedRequest, RequestInfo> REQUEST =
      AtomicReferenceFieldUpdater.newUpdater(GuardedRequest.class, RequestInfo.class, "request");

  private final RequestServices services;
  private final DecisionHistory history;
  private final @Nullable DecisionReport report;

  @SuppressWarnings("NullAway.Init") // set by its updater, like the next
  private volatile EndpointGuard endpoint;

  @SuppressWarnings("NullAway.Init")
  private volatile RequestInfo request;

  private volatile @Nullable List<HeaderField> headers;

  GuardedRequest(EndpointGuard endpoint, RequestInfo request) {
    this(endpoint, request, new DecisionHistory(endpoint.services().limiter()), null);
  }

  /** A call within a request. */
  GuardedRequest(EndpointGuard endpoint, RequestInfo request, GuardedRequest around) {
    this(
        endpoint,
        request,
        new CallDecisionHistory(endpoint.services().limiter(), around.history),
        around.report);
  }

  private GuardedRequest(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionReport around) {
    this.services = endpoint.services();
    this.history = history;
    this.report = DecisionReport.of(services.policySource(), around);
    // Not shared yet, so a lazy write is enough.
    ENDPOINT.lazySet(this, endpoint);
    REQUEST.lazySet(this, request);
  }

  /**
   * Moves the request to another endpoint, whose policies are decided next.
   *
   * @param next the endpoint
   * @param seen the request as the adapter there sees it
   */
  public void moveTo(EndpointGuard next, RequestInfo seen) {
    endpoint = next;
    request = seen;
    history.movesOn();
  }

  /**
   * Makes all charges so far final, since the code that they admitted the request to has run or is
   * about to: the handler of an endpoint, or filters between the two phases. No later refusal
   * refunds them.
   */
  public void keep() {
    history.keep();
  }

  boolean isOf(RequestServices other) {
    return services == other;
  }

  /**
   * Decides one phase, as far as it wasn't decided before. Waits for the policy source and for the
   * store, if they have to be asked, at most for the store time-out together. Failures of the
   * limiter itself, or of a part that the application plugged in, admit the request.
   *
   * @param phase before or after authentication
   * @return the response to send instead of proceeding; empty if the request is admitted
   */
  public Optional<Refusal> decide(DecisionPhase phase) {
    if (!decides(phase)) {
      return Optional.empty();
    }
    try {
      forgetRefunded();
      List<PermitRequest> requests = PhaseRequestBuilder.of(endpoint, request, history, phase);
      Decision decision = PhaseDecision.decide(services, history, requests);
      return decision == null ? Optional.empty() : record(decision);
    } catch (InvalidRequestException invalid) {
      return badRequest(invalid);
    } catch (RuntimeException | LinkageError trouble) {
      return undecided(trouble);
    }
  }

  private boolean decides(DecisionPhase phase) {
    return services.decidesServed()
        && (history.isSourceSilent() ? endpoint.hasPolicies() : endpoint.decides(phase));
  }

  /**
   * Decides one phase, as far as it wasn't decided before, without waiting. Failures of the limiter
   * itself, or of a part that the application plugged in, admit the request undecided; an
   * endpoint's first is logged.
   *
   * @param phase before or after authentication
   * @return the response to send instead of proceeding; empty if the request is admitted. Never
   *     completed exceptionally
   */
  public CompletionStage<Optional<Refusal>> decideAsync(DecisionPhase phase) {
    if (!decides(phase)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      forgetRefunded();
      return PhaseRequestBuilder.ofAsync(endpoint, request, history, phase, this::acquireAsync)
          .exceptionally(this::failure);
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.completedFuture(failure(trouble));
    }
  }

  private CompletionStage<Optional<Refusal>> acquireAsync(List<PermitRequest> requests) {
    return PhaseDecision.decideAsync(services, history, requests, Optional::of)
        .thenCompose(
            decision ->
                decision.isPresent()
                    ? recordAsync(decision.get())
                    : CompletableFuture.completedFuture(Optional.empty()));
  }

  private Optional<Refusal> failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return cause instanceof InvalidRequestException invalid
        ? badRequest(invalid)
        : undecided(cause);
  }

  private Optional<Refusal> badRequest(InvalidRequestException invalid) {
    refused();
    return Optional.of(
        answered(services.refusals().badRequest(invalid.getMessage(), history.reportedFinals())));
  }

  /** The limiter's failure must not become the request's. */
  private Optional<Refusal> undecided(Throwable failure) {
    endpoint.warn(failure);
    return Optional.empty();
  }

  /**
   * Decides all policies at once, whether they need a user or not, as far as they weren't decided
   * before, for a call that has no response to send. A refusal doesn't refund earlier charges.
   * Waits for the policy source and for the store, if they have to be asked, at most for the store
   * time-out together. Failures of the limiter itself admit undecided; a policy's first is logged.
   *
   * @throws RateLimitExceededException if a policy refuses
   * @throws InvalidRequestException if a policy can't count the call
   */
  public void admit() {
    try {
      admitAtOnce();
    } catch (RateLimitExceededException refusal) {
      reportToSource(); // the adapter can't know that the call ends here
      throw refusal;
    }
  }

  private void admitAtOnce() {
    if (!endpoint.isEmpty() && services.decidesServed()) {
      decidedAtOnce().ifPresent(this::admit);
    }
  }

  private Optional<Decision> decidedAtOnce() {
    try {
      forgetRefunded();
      List<PermitRequest> requests = PhaseRequestBuilder.ofBoth(endpoint, request, history);
      return Optional.ofNullable(PhaseDecision.decide(services, history, requests));
    } catch (InvalidRequestException invalid) {
      throw invalid;
    } catch (RuntimeException | LinkageError failure) {
      endpoint.warn(failure);
      return Optional.empty();
    }
  }

  private void admit(Decision decision) {
    if (services.isRefusedByItsEnd(decision)) {
      return;
    }
    if (!decision.admitted()) {
      if (report != null) {
        report.add(decision);
      }
      throw new RateLimitExceededException(history.reportedWith(delayed(decision)));
    }
    add(decision);
  }

  /**
   * Decides as {@link #admit()} does, for a part of the response, such as an include.
   *
   * @return the exception to throw if the part is refused; empty if it is admitted
   */
  public Optional<RuntimeException> admitPart() {
    try {
      admitAtOnce();
      return Optional.empty();
    } catch (RateLimitExceededException | InvalidRequestException refusal) {
      refused();
      return Optional.of(refusal);
    }
  }

  /** Forgets refunded charges of a request that proceeds in spite of a refusal. */
  private void forgetRefunded() {
    if (history.forgetRefunded()) {
      headers = null;
    }
  }

  private Optional<Refusal> record(Decision decision) {
    if (services.isRefusedByItsEnd(decision)) {
      return Optional.empty();
    }
    if (decision.admitted()) {
      add(decision);
      return Optional.empty();
    }
    refused();
    return refuse(delayed(decision));
  }

  private CompletionStage<Optional<Refusal>> recordAsync(Decision decision) {
    if (services.isRefusedByItsEnd(decision)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (decision.admitted()) {
      add(decision);
      return CompletableFuture.completedFuture(Optional.empty());
    }
    refused();
    return RetryAfterAdjuster.delayedAsync(services.limiter(), decision, history)
        .thenApply(this::refuse);
  }

  private Optional<Refusal> refuse(Decision refusal) {
    add(refusal);
    return Optional.of(answered(services.refusals().of(history.reported(), request::headers)));
  }

  private Decision delayed(Decision refusal) {
    return RetryAfterAdjuster.delayed(services.limiter(), refusal, history);
  }

  private void add(Decision decision) {
    history.add(decision);
    headers = null;
  }

  /**
   * Returns all decisions so far.
   *
   * @return the decision of all phases together
   * @throws IllegalStateException if no policy decided; see {@link #isDecided()}
   */
  public Decision decision() {
    return history.decision();
  }

  /**
   * Returns whether any policy has decided this request.
   *
   * @return false before the first phase, and where Weir is switched off
   */
  public boolean isDecided() {
    return !history.isEmpty();
  }

  /**
   * Returns the header fields that report the caller's limits.
   *
   * @return those of all decisions together, or of the refusal that was sent; none without a
   *     decision
   */
  public List<HeaderField> headers() {
    List<HeaderField> fields = headers;
    if (fields == null) {
      fields = isDecided() ? services.fields().of(history.reported()) : List.of();
      headers = fields;
    }
    return fields;
  }

  /**
   * Records the refusal that is sent, which may be that of a woven method, so that its header
   * fields are used from now on.
   *
   * @param refusal the response
   * @return the same
   */
  public Refusal answered(Refusal refusal) {
    headers = refusal.headers();
    return refusal;
  }

  /**
   * Makes the response to a request whose handler threw the refusal of a woven method or of a part.
   * The request's own charges stay, and delay Retry-After if they are used up.
   *
   * @param refused what was thrown
   * @param values finds the values of a header field of the request
   * @return the response, with the header fields of the refusal that was thrown
   */
  public Refusal refusalOf(
      RateLimitExceededException refused, Function<String, List<String>> values) {
    keep();
    return services.refusals().of(delayed(refused.decision()), values);
  }

  /**
   * Makes the response to a request whose handler threw that a policy can't count a call. The
   * request's own charges stay.
   *
   * @param invalid what was thrown
   * @return 400, with the header fields of what stays charged
   */
  public Refusal refusalOf(InvalidRequestException invalid) {
    keep();
    return services.refusals().badRequest(invalid.getMessage(), history.reportedFinals());
  }

  /** Refunds all charges that aren't final, since the request is refused here. */
  public void refused() {
    history.refundOthers();
  }

  /**
   * Ends the request by its response: refunds charges that don't count, also those made later. Only
   * the first call of this or {@link #failed()} matters.
   *
   * @param status the HTTP status
   */
  public void completed(int status) {
    end(status < 400 ? Count.FAILURES : Count.SUCCESSES);
  }

  /** Ends the request as a failure: without a response, or with an exception instead of one. */
  public void failed() {
    end(Count.SUCCESSES);
  }

  /**
   * Returns whether the outcome matters: a policy counts by it, or a policy source gets a report.
   *
   * @return false if there is no need to call {@link #completed} or {@link #failed()}
   */
  public boolean needsOutcome() {
    return report != null || history.dependsOnOutcome();
  }

  private void end(Count notCounted) {
    history.end(notCounted);
    reportToSource();
  }

  private void reportToSource() {
    if (report != null) {
      history.report(report, request);
    }
  }
}
