package io.weir.servlet;

import io.weir.Decision;
import io.weir.adapter.Adapter;
import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A request from the first filter of an application until its response has ended. It is decided for
 * each target that it is dispatched to, and completed once.
 */
final class RequestLifecycle implements RequestHolder {
  private static final String ATTRIBUTE = LimitedRequest.ATTRIBUTE;

  private static final AtomicIntegerFieldUpdater<RequestLifecycle> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(RequestLifecycle.class, "ended");

  private final LimitedEndpoint unlimited;
  private final ServletRequestInfo info;
  private final LimitedRequest limited;

  /** The object that another application or adapter had left on the request. */
  private final @Nullable Object left;

  @SuppressWarnings("UnusedVariable") // set through ENDED
  private volatile int ended;

  /** Whether only a filter before the sign-in has decided it for its current target. */
  private volatile boolean undecided;

  private volatile Place place;
  private volatile @Nullable Place decidedAt;

  /** Whether the last filter decided only the first phase, so that other filters may follow it. */
  private volatile boolean betweenPhases;

  private volatile List<HeaderField> written = List.of();
  private volatile @Nullable Decision attribute;

  /**
   * The current position of the request. When a dispatch returns, the request is back at its
   * previous place.
   *
   * @param pass the filter that it has passed
   * @param request the request object there
   * @param response a response whose status can be set; empty within an include that came first
   * @param included whether an include writes only a part of the response there
   * @param error whether it is an error page, or was dispatched to by one
   */
  private record Place(
      FilterPass pass,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      Optional<HttpServletResponse> response,
      boolean included,
      boolean error) {}

  private RequestLifecycle(Adapter adapter, Place place, @Nullable Object left) {
    this.unlimited = adapter.unlimited();
    this.place = place;
    this.left = left;
    this.info = new ServletRequestInfo(adapter, place.request, place.target);
    this.limited = adapter.begin(info, left);
  }

  /**
   * Finds the request that an earlier filter has begun.
   *
   * @param unlimited the {@link Adapter#unlimited()} of the Weir that decides it
   */
  static Optional<RequestLifecycle> of(HttpServletRequest request, LimitedEndpoint unlimited) {
    // If another application forwarded the request, its class of this name is a different one.
    return request.getAttribute(ATTRIBUTE) instanceof RequestLifecycle begun
            && begun.unlimited == unlimited
        ? Optional.of(begun)
        : Optional.empty();
  }

  /** Begins a request, or goes on with one that another adapter of the application has begun. */
  static RequestLifecycle begin(
      Adapter adapter,
      HttpServletRequest request,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint) {
    FilterPass pass = FilterPass.first(FilterPass.class, request, target);
    Place start = new Place(pass, target, endpoint, request, Optional.empty(), false, false);
    RequestLifecycle dispatched =
        new RequestLifecycle(adapter, start, request.getAttribute(ATTRIBUTE));
    request.setAttribute(ATTRIBUTE, dispatched);
    dispatched.limited.countInFlight();
    return dispatched;
  }

  @Override
  public LimitedRequest limitedRequest() {
    return limited;
  }

  /**
   * Restores what another application, which forwarded to this one, or another adapter had left.
   */
  void unmark(HttpServletRequest request) {
    if (left != null) {
      request.setAttribute(ATTRIBUTE, left);
    }
  }

  /** Returns whether a filter before the sign-in decided it, and none after the sign-in has. */
  boolean isUndecided() {
    return undecided;
  }

  /** Returns whether the request is at a target already. */
  boolean isAt(DispatchTarget target) {
    return place.target.isSameMethod(target);
  }

  /**
   * Returns whether an error page dispatches the request to a target. Some containers report such
   * dispatches as error dispatches too.
   */
  boolean isFromErrorPageTo(DispatchTarget target) {
    return place.error && !isAt(target);
  }

  /** Returns whether an include writes only a part of the response now. */
  boolean isIncluded() {
    return place.included;
  }

  /**
   * Moves the request to an endpoint and binds it to this thread. If a new dispatch brings it
   * there, earlier decisions become final: the code that dispatched it has already run.
   *
   * @param filter the filter that it passes
   * @param response the response there
   * @param included whether only a part of the response is written there
   * @return moves the request back
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
      limited.keep();
    }
    Optional<HttpServletResponse> whole = included ? from.response : Optional.of(response);
    return arrive(new Place(pass, target, endpoint, request, whole, included, from.error));
  }

  private Runnable arrive(Place to) {
    Place from = place;
    ServletEndpoints.Endpoint endpoint = to.endpoint;
    go(to);
    limited.moveTo(endpoint.limits(), info);
    boolean bound = limited.isBound() && from.endpoint.method().equals(endpoint.method());
    if (bound) {
      return () -> go(from);
    }
    LimitedRequest.Binding binding = limited.bind(endpoint.method().orElse(null));
    return () -> {
      binding.close();
      go(from);
    };
  }

  /** Moves the request to an error page, which is never limited. */
  Runnable arriveAtErrorPage(
      DispatchTarget page, HttpServletRequest request, HttpServletResponse response) {
    FilterPass pass = FilterPass.first(FilterPass.class, request, page);
    Runnable depart =
        arrive(new Place(pass, page, place.endpoint, request, Optional.of(response), false, true));
    // The container has reset the response.
    written = List.of();
    writeHeaders();
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
   * Decides the phases that are still undecided, until one refuses. If only the first phase is
   * decided, its decision becomes final, since other filters run before the second.
   */
  Optional<Refusal> decide(List<DecisionPhase> phases) {
    rememberPlace();
    undecided = !phases.contains(DecisionPhase.AFTER_AUTHENTICATION);
    if (betweenPhases) {
      limited.keep(); // also charges of the filters in between
    }
    Optional<Refusal> refusal = decideEach(phases);
    betweenPhases = phases.size() == 1;
    if (betweenPhases) {
      limited.keep();
    }
    return refusal;
  }

  private Optional<Refusal> decideEach(List<DecisionPhase> phases) {
    for (int i = 0; i < phases.size(); i++) { // no iterator for each request
      Optional<Refusal> refusal = limited.decide(phases.get(i));
      setAttribute();
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /** Remembers the first target, and the last filter there, which knows the signed-in user. */
  private void rememberPlace() {
    Place first = decidedAt;
    if (first == null || first.target.isSameMethod(place.target)) {
      decidedAt = place;
    }
  }

  /**
   * Decides the policies of an include that are still undecided. The exception has no stack trace:
   * containers log the exceptions of includes for each request, and no code of the application is
   * on the stack between. The refusals of woven methods keep theirs.
   */
  Optional<RuntimeException> decidePart() {
    Optional<RuntimeException> refusal = limited.admitPart();
    refusal.ifPresent(each -> each.setStackTrace(new StackTraceElement[0]));
    setAttribute();
    return refusal;
  }

  /** Returns whether the response can still become a refusal. */
  boolean canRefuse() {
    return place.response.filter(each -> !each.isCommitted()).isPresent();
  }

  /** Sets the request attribute for the application if there is a new decision. */
  private void setAttribute() {
    if (limited.isDecided()) {
      Decision decision = limited.decision();
      if (decision != attribute) {
        attribute = decision;
        place.request.setAttribute(Decision.class.getName(), decision);
      }
    }
  }

  /**
   * Writes the header fields if there is a new decision. Undertow ignores them within an include;
   * then they are written when the include has returned.
   */
  void writeHeaders() {
    place.response.ifPresent(
        response -> {
          List<HeaderField> headers = limited.headers();
          if (headers != written) {
            ServletResponseWriter.put(headers, response);
            if (!place.included || ServletResponseWriter.has(headers, response)) {
              written = headers;
            }
          }
        });
  }

  /**
   * Writes the header fields again if the application has removed them or there is a new decision.
   */
  void restoreHeaders(HttpServletResponse response) {
    List<HeaderField> headers = limited.headers();
    ServletResponseWriter.restore(headers, headers == written, response);
    written = headers;
  }

  /** Makes a refusal's header fields final. */
  void refused(Refusal refusal) {
    limited.answered(refusal);
    written = refusal.headers();
  }

  /**
   * Finds the refusal of a limited call or an include, which the application may have wrapped in
   * exceptions of its own.
   */
  Optional<Refusal> refusalIn(Throwable thrown) {
    return limited.refusalIn(thrown);
  }

  /** Reports that the response has ended. */
  void completed(int status) {
    if (ends()) {
      limited.completed(status);
      ended();
    }
  }

  /** Reports an exception in place of a response. */
  void failed() {
    if (ends()) {
      limited.failed();
      ended();
    }
  }

  /** Shows observers of the end the request as it was when it was decided. */
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
  }
}
