package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request from the first filter of an application until its response has ended. It is decided for
 * each target that it is dispatched to, and completed once.
 */
final class RequestLifecycle extends LimitedServletRequest {
  private final LimitedEndpoint unlimited;
  private final FilterPass first;
  private final FilteredRequestInfo info;

  /** Whether only a filter before the sign-in has decided it for its current target. */
  private volatile boolean undecided;

  /** The filter that it passes; null where it began, before and after the first filter. */
  private volatile @Nullable FilterPass place;

  private volatile @Nullable FilterPass decidedAt;

  /** Whether the last filter decided only the first phase, so that other filters may follow it. */
  private volatile boolean betweenPhases;

  private RequestLifecycle(Adapter adapter, FilterPass first, FilteredRequestInfo info) {
    super(adapter, first.request(), info);
    this.unlimited = adapter.unlimited();
    this.first = first;
    this.info = info;
  }

  /**
   * Finds the request that an earlier filter has begun.
   *
   * @param unlimited the {@link Adapter#unlimited()} of the Weir that decides it
   */
  static Optional<RequestLifecycle> of(HttpServletRequest request, LimitedEndpoint unlimited) {
    // If another application forwarded the request, its class of this name is a different one.
    return request.getAttribute(LimitedRequest.ATTRIBUTE) instanceof RequestLifecycle begun
            && begun.unlimited == unlimited
        ? Optional.of(begun)
        : Optional.empty();
  }

  /** Begins a request, or goes on with one that another adapter of the application has begun. */
  static RequestLifecycle begin(Adapter adapter, FilterPass first) {
    RequestLifecycle dispatched =
        new RequestLifecycle(adapter, first, new FilteredRequestInfo(adapter, first));
    dispatched.mark(first.request());
    return dispatched;
  }

  /** Returns whether a filter before the sign-in decided it, and none after the sign-in has. */
  boolean isUndecided() {
    return undecided;
  }

  private FilterPass place() {
    FilterPass at = place;
    return at != null ? at : first.start();
  }

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
   * @return the binding, to be given to {@link #depart}; null if this thread is bound already
   */
  LimitedRequest.@Nullable Binding arrive(FilterPass to) {
    if (to.isFirstOfDispatch()) {
      limitedRequest().keep();
    }
    LimitedRequest.Binding bound = moveTo(to);
    FilterPass from = to.from();
    if (from != null && !to.isFirstOfDispatch() && !from.target().isSame(to.target())) {
      limitedRequest().correct(unlimited);
    }
    return bound;
  }

  private LimitedRequest.@Nullable Binding moveTo(FilterPass to) {
    go(to);
    ServletEndpoints.Endpoint endpoint = to.endpoint();
    limitedRequest().moveTo(endpoint.limits(), info);
    FilterPass from = to.from();
    boolean bound =
        limitedRequest().isBound()
            && (from == null || from.endpoint().method().equals(endpoint.method()));
    return bound ? null : limitedRequest().bind(endpoint.method().orElse(null));
  }

  /** Moves the request back when a filter returns. */
  void depart(FilterPass at, LimitedRequest.@Nullable Binding bound) {
    if (bound != null) {
      bound.close();
    }
    go(at.from());
  }

  FilterPass errorPage(
      DispatchTarget page, HttpServletRequest request, HttpServletResponse response) {
    page.path(); // some containers change the request object when the page dispatches it
    return place().errorPage(page, request, response);
  }

  /**
   * Moves the request to an error page, which is never limited.
   *
   * @return the binding, to be given to {@link #depart}
   */
  LimitedRequest.@Nullable Binding arriveAtErrorPage(FilterPass page) {
    LimitedRequest.Binding bound = moveTo(page);
    headersAreGone(); // the container has reset the response
    writeHeaders();
    return bound;
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
      limitedRequest().keep(); // also charges of the filters in between
    }
    Optional<Refusal> refusal = decideEach(phases);
    boolean isOne = phases.size() == 1;
    if (between != isOne) {
      betweenPhases = isOne;
    }
    if (isOne) {
      limitedRequest().keep();
    }
    return refusal;
  }

  private Optional<Refusal> decideEach(List<DecisionPhase> phases) {
    for (int i = 0; i < phases.size(); i++) { // no iterator for each request
      Optional<Refusal> refusal = limitedRequest().decide(phases.get(i));
      showDecision(place().request());
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

  /** Shows the body of the request as if nobody had read it for policies. */
  HttpServletRequest unread(HttpServletRequest passed) {
    return info.unread(passed);
  }

  /** Decides the policies of an include that are still undecided. */
  Optional<RuntimeException> decidePart() {
    return decidePart(place().request());
  }

  /** Returns whether the response can still become a refusal. */
  boolean canRefuse() {
    HttpServletResponse response = place().response();
    return response != null && !response.isCommitted();
  }

  /**
   * Writes the header fields if there is a new decision. Undertow ignores them within an include;
   * then they are written when the include has returned.
   */
  void writeHeaders() {
    FilterPass at = place();
    HttpServletResponse response = at.response();
    if (response != null) {
      writeHeaders(response);
      if (at.isIncluded() && !ServletResponseWriter.has(limitedRequest().headers(), response)) {
        headersAreGone();
      }
    }
  }

  @Override
  protected void showAsDecided() {
    FilterPass decided = decidedAt;
    if (decided != null) {
      info.readAt(decided);
    }
  }

  @Override
  protected void showAsNow() {
    FilterPass at = place;
    info.readAt(at != null ? at : first);
  }
}
