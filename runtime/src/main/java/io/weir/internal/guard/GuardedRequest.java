package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.RateLimitExceededException;
import io.weir.adapter.BodySource;
import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.internal.body.BodyFormats;
import io.weir.internal.body.UnreadableBodyException;
import io.weir.internal.key.BodyUse;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.DecisionPhase;
import io.weir.spi.DecisionSpan;
import io.weir.spi.RequestInfo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
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
public final class GuardedRequest implements LimitedRequest {
  private static final AtomicReferenceFieldUpdater<GuardedRequest, EndpointGuard> ENDPOINT =
      AtomicReferenceFieldUpdater.newUpdater(GuardedRequest.class, EndpointGuard.class, "endpoint");

  private static final AtomicReferenceFieldUpdater<GuardedRequest, RequestInfo> REQUEST =
      AtomicReferenceFieldUpdater.newUpdater(GuardedRequest.class, RequestInfo.class, "request");

  private static final AtomicIntegerFieldUpdater<GuardedRequest> IN_FLIGHT =
      AtomicIntegerFieldUpdater.newUpdater(GuardedRequest.class, "inFlight");

  private static final DecisionPhase[] PHASES = DecisionPhase.values();
  private static final Set<String> ANSWERED_BY_FRAMEWORKS = Set.of("OPTIONS", "TRACE", "HEAD");
  private static final int BAD_REQUEST = 400;
  private static final int NOT_COUNTED = 0;
  private static final int COUNTED = 1;
  private static final int LEFT = 2;

  private final RequestServices services;
  private final DecisionHistory history;
  private final @Nullable DecisionReport report;

  /** Where the request is decided; null unless that is remembered. */
  private final @Nullable RouteTrace trace;

  private final boolean isCall;

  /** Whether the request counts as in flight; it leaves the count once, whatever ends it. */
  private volatile int inFlight; // 0 until it counts

  /**
   * The latest decisions of limited calls within the request, for the header fields alone; null
   * before the first.
   */
  private volatile @Nullable List<Decision> ofCalls;

  @SuppressWarnings("NullAway.Init") // set by its updater, like the next
  private volatile EndpointGuard endpoint;

  @SuppressWarnings("NullAway.Init")
  private volatile RequestInfo request;

  /** The refusal that was sent, unless another decision followed. */
  private volatile @Nullable Refusal answered;

  private volatile @Nullable Fields fields;

  /** The execution of the handler that was charged, in whatever thread; null if none was noted. */
  private volatile @Nullable Charge ofHandler;

  /**
   * The header fields of decisions, which are compared by identity: each list is replaced whole.
   */
  private record Fields(
      List<Decision> decisions, @Nullable List<Decision> calls, List<HeaderField> fields) {}

  GuardedRequest(EndpointGuard endpoint, RequestInfo request) {
    this(endpoint, request, new DecisionHistory(endpoint.services()), null, null);
  }

  /** A call within a request. */
  GuardedRequest(EndpointGuard endpoint, RequestInfo request, GuardedRequest around) {
    this(
        endpoint,
        request,
        new CallDecisionHistory(endpoint.services(), around.history),
        around.report,
        around);
  }

  private GuardedRequest(
      EndpointGuard endpoint,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionReport reported,
      @Nullable GuardedRequest around) {
    this.services = endpoint.services();
    this.history = history;
    this.report = DecisionReport.of(services.currentSource(), reported);
    this.isCall = around != null;
    SeenRoutes seen = services.seenRoutes();
    this.trace = around != null ? around.trace : seen == null ? null : new RouteTrace(seen);
    // Not shared yet, so a lazy write is enough.
    ENDPOINT.lazySet(this, endpoint);
    REQUEST.lazySet(this, request);
  }

  @Override
  public void moveTo(LimitedEndpoint next, RequestInfo seen) {
    EndpointGuard guard = (EndpointGuard) next; // no other class implements it
    if (guard.services() != services) {
      throw new IllegalArgumentException("the endpoint belongs to another Weir than the request");
    }
    // A volatile write costs more than a read that finds nothing to do, here and in other places.
    if (endpoint != guard) {
      endpoint = guard;
    }
    if (request != seen) {
      request = seen;
    }
    history.movesOn();
  }

  @Override
  public void correct(LimitedEndpoint early) {
    forgetRefunded();
    history.forgetAnswers();
    EndpointGuard others = (EndpointGuard) early; // no other class implements it
    history.refund(part -> isElsewhere(part, others));
    history.unwatch(
        caller -> endpoint.find(caller.policy()) == null && others.find(caller.policy()) != null);
  }

  private boolean isElsewhere(Decision part, EndpointGuard early) {
    GuardedPolicy here = endpoint.find(part.policy().name());
    return here == null
        ? early.find(part.policy().name()) != null
        : here.phase() == DecisionPhase.BEFORE_AUTHENTICATION
            && (here.excepts(request) || !hasKey(here, part));
  }

  /** Returns true as well if the key can't be read: the next phase says why. */
  private boolean hasKey(GuardedPolicy policy, Decision part) {
    try {
      return policy.reader().key(request).equals(part.key());
    } catch (RuntimeException | LinkageError unreadable) {
      return true;
    }
  }

  @Override
  public void keep() {
    history.keep();
  }

  /** Returns the same object at each call. */
  public RequestServices services() {
    return services;
  }

  /** Returns the request as the latest adapter sees it. */
  public RequestInfo info() {
    return request;
  }

  @Override
  public Optional<Refusal> decide(DecisionPhase phase) {
    if (!decides(phase)) {
      return Optional.empty();
    }
    try {
      forgetRefunded();
      List<PermitRequest> requests = PhaseRequestBuilder.of(endpoint, request, history, phase);
      Decision decision = PhaseDecision.decide(services, history, requests);
      if (decision != null && !proceeds(decision)) {
        return refuse(delayed(decision));
      }
      BodySteps steps = bodySteps(phase);
      return steps == null ? Optional.empty() : decideByBody(phase, steps);
    } catch (RuntimeException | LinkageError trouble) {
      return failure(trouble);
    }
  }

  /** Returns how the phase is divided for this request; null unless policies read its body. */
  private @Nullable BodySteps bodySteps(DecisionPhase phase) {
    return BodySteps.with(
        endpoint.bodySteps(phase), history.takeBodyReaders(), services.appliedPolicies());
  }

  /**
   * Decides the policies that read the body. A refusal refunds also what the others have charged.
   */
  private Optional<Refusal> decideByBody(DecisionPhase phase, BodySteps steps) {
    if (!awaitBody(steps)) {
      return Optional.empty();
    }
    List<PermitRequest> requests =
        PhaseRequestBuilder.ofBody(endpoint, request, history, phase, steps);
    Decision decision = PhaseDecision.decide(services, history, requests);
    return decision == null || proceeds(decision) ? Optional.empty() : refuse(delayed(decision));
  }

  /**
   * Has the body read; returns false if no policy wants it, such as where the access list decides,
   * or if none may be decided without it.
   */
  private CompletionStage<Boolean> readBody(BodySteps steps) {
    if (history.access().overrides()) {
      return CompletableFuture.completedFuture(false);
    }
    BodyUse all = endpoint.bodyUse();
    Optional<BodyFormats> formats =
        steps.formats(request, history).map(each -> each.and(all.forms(), all.json()));
    return formats.isPresent()
        ? services.readBody((BodySource) request, formats.get())
        : CompletableFuture.completedFuture(false);
  }

  private boolean awaitBody(BodySteps steps) {
    try {
      return readBody(steps).toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException refused ? refused : failed;
    }
  }

  private boolean decides(DecisionPhase phase) {
    if (!services.decidesServed()) {
      return false;
    }
    trace(phase);
    return history.isSourceSilent() ? endpoint.decidesWithoutSource() : endpoint.decides(phase);
  }

  private void trace(DecisionPhase phase) {
    if (trace != null) {
      trace.note(endpoint, phase, request, isCall);
    }
  }

  /** Notes that both phases are decided at once. */
  private void traceBoth() {
    for (DecisionPhase each : PHASES) {
      trace(each);
    }
  }

  @Override
  public CompletionStage<Optional<Refusal>> decideAsync(DecisionPhase phase, Executor blocking) {
    if (!decides(phase)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    DecisionSpan span = services.limiter().currentSpan();
    try {
      return CompletableFuture.supplyAsync(() -> decideHere(phase, blocking, span), blocking)
          .thenCompose(Function.identity())
          .exceptionally(this::failure);
    } catch (RuntimeException | Error rejected) { // by an executor that is shut down or full
      return CompletableFuture.completedFuture(undecided(rejected));
    }
  }

  /** Begins in this thread, and goes on in one of the executor after the source or the store. */
  private CompletionStage<Optional<Refusal>> decideHere(
      DecisionPhase phase, Executor resume, @Nullable DecisionSpan span) {
    try {
      forgetRefunded();
      return PhaseRequestBuilder.ofAsync(
              endpoint,
              request,
              history,
              phase,
              resume,
              requests -> acquireAsync(phase, requests, resume, span))
          .exceptionally(this::failure);
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.completedFuture(failure(trouble));
    }
  }

  private CompletionStage<Optional<Refusal>> acquireAsync(
      DecisionPhase phase,
      List<PermitRequest> requests,
      Executor resume,
      @Nullable DecisionSpan span) {
    BodySteps steps = bodySteps(phase);
    CompletionStage<Optional<Refusal>> first = acquireAsync(requests, resume, span);
    return steps == null
        ? first
        : then(
            first,
            resume,
            refusal ->
                refusal.isPresent()
                    ? CompletableFuture.completedFuture(refusal)
                    : decideByBodyAsync(phase, steps, resume, span));
  }

  private CompletionStage<Optional<Refusal>> acquireAsync(
      List<PermitRequest> requests, Executor resume, @Nullable DecisionSpan span) {
    return then(
        PhaseDecision.decideAsync(services, history, requests, span, Optional::of),
        resume,
        decision ->
            decision.isEmpty() || proceeds(decision.get())
                ? CompletableFuture.completedFuture(Optional.empty())
                : refuseAsync(decision.get(), resume));
  }

  private CompletionStage<Optional<Refusal>> decideByBodyAsync(
      DecisionPhase phase, BodySteps steps, Executor resume, @Nullable DecisionSpan span) {
    return then(
        readBody(steps),
        resume,
        isRead ->
            isRead
                ? PhaseRequestBuilder.ofBodyAsync(
                    endpoint,
                    request,
                    history,
                    phase,
                    steps,
                    resume,
                    requests -> acquireAsync(requests, resume, span))
                : CompletableFuture.completedFuture(Optional.empty()));
  }

  private CompletionStage<Optional<Refusal>> refuseAsync(Decision decision, Executor resume) {
    return then(
        RetryAfterAdjuster.delayedAsync(services.limiter(), decision, history),
        resume,
        delayed -> CompletableFuture.completedFuture(refuse(delayed)));
  }

  /** Goes on in this thread if a stage is complete, else by an executor. */
  private static <T, R> CompletionStage<R> then(
      CompletionStage<T> stage, Executor resume, Function<T, CompletionStage<R>> next) {
    Thread asking = Thread.currentThread();
    return stage.thenComposeAsync(
        next,
        task -> {
          if (Thread.currentThread() == asking) {
            task.run();
          } else {
            resume.execute(task);
          }
        });
  }

  private Optional<Refusal> failure(Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof InvalidRequestException invalid) {
      return unreadable(BAD_REQUEST, invalid.getMessage());
    }
    return cause instanceof UnreadableBodyException unread
        ? unreadable(unread.status(), unread.getMessage())
        : undecided(cause);
  }

  private Optional<Refusal> unreadable(int status, String why) {
    refused();
    Refusal refusal = services.refusals().unreadable(status, why, history.reportedFinals());
    answered(refusal);
    return Optional.of(refusal);
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
      traceBoth();
      decidedAtOnce().ifPresent(this::admit);
    }
  }

  /** Has the body read for the policies of any phase, before any of them is decided. */
  private void readBodyAtOnce() {
    for (DecisionPhase each : PHASES) {
      readBodyAtOnce(endpoint.bodySteps(each));
    }
  }

  private void readBodyAtOnce(@Nullable BodySteps steps) {
    if (steps != null) {
      try {
        boolean unused = awaitBody(steps);
      } catch (UnreadableBodyException unread) {
        throw new InvalidRequestException(unread.getMessage());
      }
    }
  }

  /**
   * Has the body read for policies of the source; returns false if there are none. A call has no
   * body: there its fields are missing.
   */
  private boolean readBodyForSource() {
    List<AppliedPolicy> readers = history.takeBodyReaders();
    if (readers.isEmpty()) {
      return false;
    }
    List<Decision> unused = history.takeRefusals(); // they are made again
    if (request instanceof BodySource) {
      readBodyAtOnce(BodySteps.with(null, readers, services.appliedPolicies()));
    }
    return true;
  }

  private Optional<Decision> decidedAtOnce() {
    try {
      forgetRefunded();
      List<PermitRequest> requests = List.of();
      if (!AccessGate.overrides(services, request, history, null)) {
        readBodyAtOnce();
        requests = PhaseRequestBuilder.ofBoth(endpoint, request, history, true);
        if (readBodyForSource()) {
          requests = PhaseRequestBuilder.ofBoth(endpoint, request, history, false);
        }
      }
      return Optional.ofNullable(PhaseDecision.decide(services, history, requests));
    } catch (InvalidRequestException invalid) {
      throw invalid;
    } catch (RuntimeException | LinkageError failure) {
      endpoint.warn(failure);
      return Optional.empty();
    }
  }

  /**
   * Does as {@link #admit()} without waiting for store and policy source. Parts of the application
   * are called in this thread, or by the executor after the source has answered.
   *
   * @param resume continues after the policy source or the store
   * @return completed exceptionally with what {@link #admit()} throws
   */
  public CompletionStage<Void> admitAsync(Executor resume) {
    if (endpoint.isEmpty() || !services.decidesServed()) {
      return CompletableFuture.completedFuture(null);
    }
    traceBoth();
    CompletionStage<Optional<Decision>> decided;
    DecisionSpan span = services.limiter().currentSpan();
    try {
      forgetRefunded();
      decided =
          PhaseRequestBuilder.ofBothAsync(endpoint, request, history, resume)
              .thenCompose(
                  requests ->
                      PhaseDecision.decideAsync(services, history, requests, span, Optional::of));
    } catch (RuntimeException | Error failure) {
      decided = CompletableFuture.failedFuture(failure);
    }
    return then(
        decided.exceptionally(this::undecidedCall),
        resume,
        decision -> {
          admitDecided(decision);
          return CompletableFuture.completedFuture(null);
        });
  }

  private Optional<Decision> undecidedCall(Throwable thrown) {
    Throwable cause = cause(thrown);
    if (cause instanceof InvalidRequestException invalid) {
      throw invalid;
    }
    endpoint.warn(cause);
    return Optional.empty();
  }

  private void admitDecided(Optional<Decision> decision) {
    try {
      decision.ifPresent(this::admit);
    } catch (RateLimitExceededException refusal) {
      reportToSource();
      throw refusal;
    }
  }

  static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException && thrown.getCause() != null
        ? thrown.getCause()
        : thrown;
  }

  private void admit(Decision decision) {
    if (services.isRefusedByItsEnd(decision)) {
      return;
    }
    BanGate.decided(services, request, history, decision);
    if (!decision.admitted()) {
      if (report != null) {
        report.add(decision);
      }
      throw new RateLimitExceededException(history.reportedWith(delayed(decision)));
    }
    add(decision);
  }

  @Override
  public Optional<RuntimeException> admitPart() {
    try {
      admitAtOnce();
      return Optional.empty();
    } catch (RateLimitExceededException | InvalidRequestException refusal) {
      refused();
      return Optional.of(refusal);
    }
  }

  private void forgetRefunded() {
    if (history.forgetRefunded()) {
      answered = null;
    }
  }

  /** Takes note of a decision; returns false if it refuses the request. */
  private boolean proceeds(Decision decision) {
    if (services.isRefusedByItsEnd(decision)) {
      return true;
    }
    BanGate.decided(services, request, history, decision);
    if (decision.admitted()) {
      add(decision);
    } else {
      refused();
    }
    return decision.admitted();
  }

  private Optional<Refusal> refuse(Decision refusal) {
    add(refusal);
    Refusal response = services.refusals().of(history.reported(), request::headers);
    answered(response);
    return Optional.of(response);
  }

  private Decision delayed(Decision refusal) {
    return RetryAfterAdjuster.delayed(services.limiter(), refusal, history);
  }

  private void add(Decision decision) {
    history.add(decision);
    if (answered != null) {
      answered = null;
    }
  }

  @Override
  public Decision decision() {
    return history.decision();
  }

  @Override
  public boolean isDecided() {
    return !history.isEmpty();
  }

  @Override
  public List<HeaderField> headers() {
    Refusal sent = answered;
    if (sent != null) {
      return sent.headers();
    }
    Fields known = fields;
    if (known == null || known.calls != ofCalls || !history.hasDecisions(known.decisions)) {
      known = newFields();
      fields = known;
    }
    return known.fields;
  }

  /** Reads the decisions first: if one is added meanwhile, the fields are outdated at once. */
  private Fields newFields() {
    @Nullable List<Decision> calls = ofCalls;
    List<Decision> decisions = history.decisions();
    Decision decision = reported(decisions, calls);
    return new Fields(
        decisions, calls, decision == null ? List.of() : services.fields().of(decision));
  }

  /** Returns null without a decision: an Optional would be allocated for each request. */
  private @Nullable Decision reported(List<Decision> decisions, @Nullable List<Decision> calls) {
    if (calls == null) {
      return decisions.isEmpty() ? null : history.reported();
    }
    List<Decision> all = new ArrayList<>(calls);
    if (!decisions.isEmpty()) {
      for (Decision part : history.reported().parts()) {
        if (calls.stream().noneMatch(call -> haveOnePolicy(call, part))) {
          all.add(part);
        }
      }
    }
    return all.size() == 1 ? all.get(0) : DecisionCombiner.of(all);
  }

  private static boolean haveOnePolicy(Decision one, Decision other) {
    return one.policy().name().equals(other.policy().name());
  }

  /** Reports the decision of this call in the header fields of a request. */
  public void reportTo(GuardedRequest around) {
    if (!history.isEmpty()) {
      around.addCall(history.reported());
    }
  }

  /**
   * Adds the decision of a limited call within the request to its header fields; of several calls
   * by a policy the latest counts. Calls in several threads at once may lose one of them.
   */
  private void addCall(Decision decision) {
    List<Decision> parts = decision.parts();
    List<Decision> before = ofCalls;
    if (before == null) {
      ofCalls = parts;
    } else {
      List<Decision> all = new ArrayList<>(before.size() + parts.size());
      for (Decision each : before) {
        if (parts.stream().noneMatch(part -> haveOnePolicy(each, part))) {
          all.add(each);
        }
      }
      all.addAll(parts);
      ofCalls = List.copyOf(all);
    }
  }

  @Override
  public void answered(Refusal refusal) {
    answered = refusal;
  }

  @Override
  public Optional<Refusal> refusalIn(Throwable thrown) {
    return Refusal.thrownIn(thrown)
        .map(
            each ->
                each instanceof RateLimitExceededException refused
                    ? refusalOf(refused, request::headers)
                    : refusalOf((InvalidRequestException) each));
  }

  /**
   * Makes the response to a request whose handler threw the refusal of a woven method or of a part.
   * The request's own charges stay, and delay Retry-After if they are used up.
   *
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
   * @return 400, with the header fields of what stays charged
   */
  public Refusal refusalOf(InvalidRequestException invalid) {
    keep();
    return services.refusals().badRequest(invalid.getMessage(), history.reportedFinals());
  }

  /** Refunds all charges that aren't final, since the request is refused here. */
  public void refused() {
    if (trace != null && !isCall) {
      trace.refused();
    }
    history.refundOthers();
  }

  @Override
  public void countInFlight() {
    if (!history.hasEnded() && IN_FLIGHT.compareAndSet(this, NOT_COUNTED, COUNTED)) {
      services.inFlight().begin();
      if (history.hasEnded()) { // meanwhile, when it didn't count yet
        leaveFlight();
      }
    }
  }

  /** Leaves the count once. A plain read first, since most calls aren't counted. */
  private void leaveFlight() {
    if (inFlight == COUNTED && IN_FLIGHT.compareAndSet(this, COUNTED, LEFT)) {
      services.inFlight().end();
    }
  }

  @Override
  public void completed(int status) {
    endTrace(status < 400);
    if (answered == null && !history.hasEnded()) { // else it is a refusal of ours
      BanGate.answered(services, history, status);
    }
    RequestOutcome outcome = RequestOutcome.of(status);
    end(outcome == RequestOutcome.SUCCEEDED && !provesSuccess() ? RequestOutcome.OTHER : outcome);
  }

  /**
   * Returns whether a status of success says that what the endpoint is for has succeeded. A caller
   * gets one for {@code OPTIONS}, {@code TRACE} and {@code HEAD} without trying, since frameworks
   * answer those.
   */
  private boolean provesSuccess() {
    if (!history.dependsOnOutcome() || request instanceof CallInfo) {
      return true;
    }
    try {
      return !ANSWERED_BY_FRAMEWORKS.contains(request.method());
    } catch (RuntimeException
        | LinkageError unreadable) { // the container may have taken the request back
      return false;
    }
  }

  @Override
  public void failed() {
    endTrace(false);
    end(RequestOutcome.FAILED);
  }

  @Override
  public void aborted(int status) {
    if (RequestOutcome.of(status) == RequestOutcome.FAILED) {
      completed(status);
    } else {
      failed();
    }
  }

  @Override
  public boolean needsOutcome() {
    return report != null || history.dependsOnOutcome() || history.watchesStatus();
  }

  /** Returns the request of this thread; empty outside of one. */
  public static Optional<GuardedRequest> ofThread() {
    CurrentRequest current = CurrentRequest.current();
    return current == null
        ? Optional.empty()
        : Optional.ofNullable((GuardedRequest) current.request());
  }

  @Override
  public CurrentRequest bind(@Nullable Method charged) {
    return CurrentRequest.bind(this, charged);
  }

  @Override
  public void charged(@Nullable Method handler) {
    ofHandler = handler == null ? null : new Charge(handler);
  }

  /**
   * Takes the charge that was noted for the handler, as {@link CurrentRequest#takeCharge} does that
   * of a binding.
   */
  public boolean takeCharge(List<Method> method, Object layer) {
    Charge noted = ofHandler;
    if (noted == null) {
      return false;
    }
    synchronized (noted) {
      return noted.isOf(method) && noted.take(layer);
    }
  }

  @Override
  public CurrentRequest hide() {
    return CurrentRequest.bindNone();
  }

  @Override
  public boolean isBound() {
    return CurrentRequest.isBound(this);
  }

  private void endTrace(boolean hasSucceeded) {
    if (trace != null && !isCall) {
      trace.end(hasSucceeded, hasIssuer());
    }
  }

  private boolean hasIssuer() {
    try {
      return request.issuer().isPresent();
    } catch (RuntimeException
        | LinkageError unreadable) { // the container may have taken the request back
      return true; // then nothing is said of its users
    }
  }

  private void end(RequestOutcome outcome) {
    history.end(outcome);
    reportToSource();
    leaveFlight();
  }

  private void reportToSource() {
    if (report != null) {
      history.report(report, request);
    }
  }
}
