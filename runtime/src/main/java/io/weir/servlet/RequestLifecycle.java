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
  private final FilterPass first;
  private final ServletRequestInfo info;
  private final LimitedRequest limited;

  /** The object that another application or adapter had left on the request. */
  private final @Nullable Object left;

  @SuppressWarnings("UnusedVariable") // set through ENDED
  private volatile int ended;

  /** Whether only a filter before the sign-in has decided it for its current target. */
  private volatile boolean undecided;

  /** The filter that it passes; null where it began, before and after the first filter. */
  private volatile @Nullable FilterPass place;

  private volatile @Nullable FilterPass decidedAt;

  /** Whether the last filter decided only the first phase, so that other filters may follow it. */
  private volatile boolean betweenPhases;

  /** Null while the response has none. */
  private volatile @Nullable List<HeaderField> written;

  private volatile @Nullable Decision attribute;

  private RequestLifecycle(Adapter adapter, FilterPass first, @Nullable Object left) {
    this.unlimited = adapter.unlimited();
    this.first = first;
    this.left = left;
    this.info = new ServletRequestInfo(adapter, first);
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

  /**
   * Begins a request, or goes on with one that another adapter of the application has begun.
   *
   * @param first the first filter that it passes
   */
  static RequestLifecycle begin(Adapter adapter, FilterPass first) {
    HttpServletRequest request = first.request();
    RequestLifecycle dispatched =
        new RequestLifecycle(adapter, first, request.getAttribute(ATTRIBUTE));
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

  private FilterPass place() {
    FilterPass at = place;
    return at != null ? at : first.start();
  }

  /** Returns whether the request is at a target already. */
  boolean isAt(DispatchTarget target) {
    return place().target().isSameMethod(target);
  }

  /** Returns whether the request is at a target already, with the same path. */
  boolean isAtPath(DispatchTarget target) {
    return place().target().isSame(target);
  }

  /**
   * Returns whether an error page dispatches the request to a target. Some containers report such
   * dispatches as error dispatches too.
   */
  boolean isFromErrorPageTo(DispatchTarget target) {
    return place().isError() && !place().target().isSamePage(target);
  }

  /** Returns whether an include writes only a part of the response now. */
  boolean isIncluded() {
    return place().isIncluded();
  }

  /**
   * Finds the pass of the next filter.
   *
   * @param filter the filter that it passes
   * @param response the response there
   * @param included whether only a part of the response is written there
   * @return the pass, at which the request hasn't {@linkplain #arrive arrived} yet
   */
  FilterPass next(
      Object filter,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      boolean included) {
    return place().next(filter, target, endpoint, request, response, included);
  }

  /**
   * Moves the request to a filter and its endpoint, and binds it to this thread. If a new dispatch
   * brings it there, earlier decisions become final: the code that dispatched it has already run.
   * If filters have changed method or path since, what they changed is decided again.
   *
   * @param to to be given to {@link #depart}
   */
  void arrive(FilterPass to) {
    if (to.isFirstOfDispatch()) {
      limited.keep();
    }
    moveTo(to);
    FilterPass from = to.from();
    if (from != null && !to.isFirstOfDispatch() && !from.target().isSame(to.target())) {
      limited.correct(unlimited);
    }
  }

  private void moveTo(FilterPass to) {
    go(to);
    ServletEndpoints.Endpoint endpoint = to.endpoint();
    limited.moveTo(endpoint.limits(), info);
    FilterPass from = to.from();
    boolean bound =
        limited.isBound() && (from == null || from.endpoint().method().equals(endpoint.method()));
    if (!bound) {
      to.bind(limited);
    }
  }

  /** Moves the request back when a filter returns. */
  void depart(FilterPass at) {
    at.unbind();
    go(at.from());
  }

  /**
   * Moves the request to an error page, which is never limited.
   *
   * @return to be given to {@link #depart}
   */
  FilterPass arriveAtErrorPage(
      DispatchTarget page, HttpServletRequest request, HttpServletResponse response) {
    page.path(); // some containers change the request object when the page dispatches it
    FilterPass at = place().errorPage(page, request, response);
    moveTo(at);
    // The container has reset the response.
    written = null;
    writeHeaders();
    return at;
  }

  private void go(@Nullable FilterPass to) {
    place = to;
    info.readAt(to != null ? to : first);
  }

  /**
   * Decides the phases that are still undecided, until one refuses. If only the first phase is
   * decided, its decision becomes final, since other filters run before the second.
   */
  Optional<Refusal> decide(List<DecisionPhase> phases) {
    rememberPlace();
    boolean leavesUser = !phases.contains(DecisionPhase.AFTER_AUTHENTICATION);
    if (undecided != leavesUser) {
      undecided = leavesUser;
    }
    boolean between = betweenPhases;
    if (between) {
      limited.keep(); // also charges of the filters in between
    }
    Optional<Refusal> refusal = decideEach(phases);
    boolean isOne = phases.size() == 1;
    if (between != isOne) {
      betweenPhases = isOne;
    }
    if (isOne) {
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
    FilterPass at = place();
    FilterPass before = decidedAt;
    if (before == null || before.target().isSameMethod(at.target())) {
      decidedAt = at;
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
    HttpServletResponse response = place().response();
    return response != null && !response.isCommitted();
  }

  /** Sets the request attribute for the application if there is a new decision. */
  private void setAttribute() {
    if (limited.isDecided()) {
      Decision decision = limited.decision();
      if (decision != attribute) {
        attribute = decision;
        place().request().setAttribute(Decision.class.getName(), decision);
      }
    }
  }

  /**
   * Writes the header fields if there is a new decision. Undertow ignores them within an include;
   * then they are written when the include has returned.
   */
  void writeHeaders() {
    FilterPass at = place();
    HttpServletResponse response = at.response();
    List<HeaderField> headers = limited.headers();
    if (response == null || hasWritten(headers)) {
      return;
    }
    ServletResponseWriter.put(headers, response);
    if (!at.isIncluded() || ServletResponseWriter.has(headers, response)) {
      written = headers;
    }
  }

  private boolean hasWritten(List<HeaderField> headers) {
    List<HeaderField> before = written;
    return headers == before || before == null && headers.isEmpty();
  }

  /**
   * Writes the header fields again if the application has removed them or there is a new decision.
   */
  void restoreHeaders(HttpServletResponse response) {
    List<HeaderField> headers = limited.headers();
    boolean same = hasWritten(headers);
    ServletResponseWriter.restore(headers, same, response);
    if (!same) {
      written = headers;
    }
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
    FilterPass decided = decidedAt;
    if (ends && decided != null) {
      info.readAt(decided);
    }
    return ends;
  }

  private void ended() {
    FilterPass at = place;
    info.readAt(at != null ? at : first);
  }
}
