package io.weir.servlet;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.guard.GuardedRequestHolder;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.http.HeaderField;
import io.weir.internal.http.Refusal;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request from the first filter of an application until its response is known. It is decided at
 * each target that it is dispatched to, and completed once.
 */
final class DispatchedRequest implements GuardedRequestHolder {
  private static final AtomicIntegerFieldUpdater<DispatchedRequest> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(DispatchedRequest.class, "ended");

  private static final int MAX_CAUSES = 16;

  private final WeirRuntime weir;
  private final ServletRequestInfo info;
  private final GuardedRequest guarded;
  private final Optional<DispatchedRequest> former;

  @SuppressWarnings("UnusedVariable") // set through ENDED
  private volatile int ended;

  /** Whether only a filter before the sign-in has decided it where it is. */
  private volatile boolean undecided;

  private volatile Place place;
  private volatile @Nullable Place decidedAt;

  /** Whether only the first phase was decided by the last filter, and others may run after it. */
  private volatile boolean betweenPhases;

  private volatile List<HeaderField> told = List.of();
  private volatile @Nullable Decision noted;

  /**
   * Where the request is now. When a dispatch returns, the request is back at the place before.
   *
   * @param pass the filter that took it there
   * @param request as it arrived there
   * @param response whose status can be set; nothing within an include that nothing else preceded
   * @param included whether it is part of a response that somebody else writes
   * @param error whether it is, or was dispatched by, an error page
   */
  private record Place(
      FilterPass pass,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      Optional<HttpServletResponse> response,
      boolean included,
      boolean error) {}

  private DispatchedRequest(WeirRuntime weir, Place place, Optional<DispatchedRequest> former) {
    this.weir = weir;
    this.place = place;
    this.former = former;
    this.info = new ServletRequestInfo(weir, place.request, place.target);
    this.guarded = info.enter(place.endpoint.guard());
  }

  /** The request as an earlier filter has begun it. */
  static Optional<DispatchedRequest> of(HttpServletRequest request, WeirRuntime weir) {
    Optional<DispatchedRequest> begun = any(request);
    return begun.isPresent() && begun.get().weir == weir ? begun : Optional.empty();
  }

  private static Optional<DispatchedRequest> any(HttpServletRequest request) {
    // Another application that the request was forwarded from has a class of this name of its own.
    return request.getAttribute(GuardedRequest.ATTRIBUTE) instanceof DispatchedRequest dispatched
        ? Optional.of(dispatched)
        : Optional.empty();
  }

  static DispatchedRequest begin(
      WeirRuntime weir,
      HttpServletRequest request,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint) {
    FilterPass pass = FilterPass.first(FilterPass.class, request, target);
    Place start = new Place(pass, target, endpoint, request, Optional.empty(), false, false);
    DispatchedRequest dispatched = new DispatchedRequest(weir, start, any(request));
    dispatched.mark(request);
    weir.inFlight().begin();
    return dispatched;
  }

  private void mark(HttpServletRequest request) {
    request.setAttribute(GuardedRequest.ATTRIBUTE, this);
  }

  @Override
  public GuardedRequest guarded() {
    return guarded;
  }

  /** Restores what another application's filters had begun, if this one began within it. */
  void unmark(HttpServletRequest request) {
    if (former.isPresent()) { // a closure would be made for each request
      former.get().mark(request);
    }
  }

  /** Whether no filter behind the sign-in has decided it since the one before that. */
  boolean isUndecided() {
    return undecided;
  }

  /** Whether the request is at a target already. */
  boolean isAt(DispatchTarget target) {
    return place.target.leadsTo(target);
  }

  /**
   * Whether an error page, at which the request is, has dispatched it to a target. Some containers
   * call all that an error page dispatches to an error page.
   */
  boolean isFromErrorPageTo(DispatchTarget target) {
    return place.error && !isAt(target);
  }

  /** Whether the request is part of a response that somebody else writes. */
  boolean isIncluded() {
    return place.included;
  }

  /**
   * Takes the request to an endpoint, and binds it to this thread. Where it comes by a dispatch of
   * its own, what was decided before is final: somebody has run who dispatched it.
   *
   * @param filter the filter that it passes
   * @param response the response there
   * @param included whether only a part of the response is written there
   * @return takes it back to where it came from
   */
  Runnable arrive(
      Object filter,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      boolean included) {
    Place from = place;
    FilterPass pass = from.pass.next(filter, request, target);
    if (pass.isFirst()) {
      guarded.keep();
    }
    Optional<HttpServletResponse> whole = included ? from.response : Optional.of(response);
    return arrive(new Place(pass, target, endpoint, request, whole, included, from.error));
  }

  private Runnable arrive(Place to) {
    Place from = place;
    ServletEndpoints.Endpoint endpoint = to.endpoint;
    go(to);
    guarded.moveTo(endpoint.guard(), info);
    boolean bound = CurrentRequest.is(info) && from.endpoint.method().equals(endpoint.method());
    if (bound) {
      return () -> go(from);
    }
    Optional<CurrentRequest> outer = CurrentRequest.bind(info, endpoint.method());
    return () -> {
      CurrentRequest.restore(outer);
      go(from);
    };
  }

  /** Takes the request to an error page, which is never limited. */
  Runnable arriveAtErrorPage(
      DispatchTarget page, HttpServletRequest request, HttpServletResponse response) {
    FilterPass pass = FilterPass.first(FilterPass.class, request, page);
    Runnable depart =
        arrive(new Place(pass, page, place.endpoint, request, Optional.of(response), false, true));
    // The container has reset the response.
    told = List.of();
    tell();
    return depart;
  }

  private void go(Place to) {
    place = to;
    readAt(to);
  }

  private void readAt(Place at) {
    info.readThrough(at.request, at.endpoint.answersHead(), at.target);
  }

  /**
   * Decides what is still undecided of some phases, until one refuses. If these are only the first,
   * others run before the next, and so what was decided is final.
   */
  Optional<Refusal> decide(List<DecisionPhase> phases) {
    rememberPlace();
    undecided = !phases.contains(DecisionPhase.AFTER_AUTHENTICATION);
    if (betweenPhases) {
      guarded.keep(); // also what the others were charged meanwhile
    }
    Optional<Refusal> refusal = decideEach(phases);
    betweenPhases = phases.size() == 1;
    if (betweenPhases) {
      guarded.keep();
    }
    return refusal;
  }

  private Optional<Refusal> decideEach(List<DecisionPhase> phases) {
    for (int i = 0; i < phases.size(); i++) { // no iterator for each request
      Optional<Refusal> refusal = guarded.decide(phases.get(i));
      note();
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** The first target, and the last filter there, since it knows who has signed in. */
  private void rememberPlace() {
    Place first = decidedAt;
    if (first == null || first.target.leadsTo(place.target)) {
      decidedAt = place;
    }
  }

  /**
   * Decides what is still undecided of a part of the response. What refuses it has no stack trace:
   * containers log what leaves an include, for each request, and there is nothing of the
   * application's in between. A refusal by a woven method keeps its own.
   */
  Optional<RuntimeException> decidePart() {
    Optional<RuntimeException> refusal = guarded.admitPart();
    refusal.ifPresent(each -> each.setStackTrace(new StackTraceElement[0]));
    note();
    return refusal;
  }

  /** Whether the response can still become a refusal. */
  boolean canRefuse() {
    return place.response.filter(each -> !each.isCommitted()).isPresent();
  }

  /** Sets the attribute for the application if there is a new decision. */
  private void note() {
    if (guarded.isDecided()) {
      Decision decision = guarded.decision();
      if (decision != noted) {
        noted = decision;
        place.request.setAttribute(Decision.class.getName(), decision);
      }
    }
  }

  /** Writes the header fields, if anything was decided since they were written last. */
  void tell() {
    place.response.ifPresent(
        response -> {
          List<HeaderField> headers = guarded.headers();
          if (headers != told) {
            told = headers;
            ServletResponseWriter.put(headers, response);
          }
        });
  }

  /**
   * Writes the header fields again if the application has removed them, or more was decided
   * meanwhile.
   */
  void tellAgain(HttpServletResponse response) {
    List<HeaderField> headers = guarded.headers();
    ServletResponseWriter.restore(headers, headers == told, response);
    told = headers;
  }

  /** Makes a refusal's header fields final. */
  void refused(Refusal refusal) {
    told = guarded.answered(refusal).headers();
  }

  /**
   * Finds the refusal of a woven method or an include, which the application may have wrapped in
   * exceptions of its own.
   */
  Optional<Refusal> refusalIn(Throwable thrown) {
    return Stream.<@Nullable Throwable>iterate(
            thrown, each -> each != null, each -> each == null ? null : each.getCause())
        .limit(MAX_CAUSES)
        .flatMap(Stream::ofNullable)
        .flatMap(each -> refusal(each).stream())
        .findFirst();
  }

  private Optional<Refusal> refusal(Throwable thrown) {
    if (thrown instanceof InvalidRequestException invalid) {
      return Optional.of(guarded.refusalOf(invalid));
    }
    return thrown instanceof RateLimitExceededException refused
        ? Optional.of(guarded.refusalOf(refused, info::headers))
        : Optional.empty();
  }

  /** The response is known. */
  void completed(int status) {
    if (ends()) {
      guarded.completed(status);
      ended();
    }
  }

  /** There was an exception instead of a response. */
  void failed() {
    if (ends()) {
      guarded.failed();
      ended();
    }
  }

  /** Whoever takes note of the end reads the request as it was when it was decided. */
  private boolean ends() {
    boolean ends = ENDED.compareAndSet(this, 0, 1);
    Place first = decidedAt;
    if (ends && first != null) {
      readAt(first);
    }
    return ends;
  }

  private void ended() {
    readAt(place);
    weir.inFlight().end();
  }
}
