package io.weir.spring.web;

import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.servlet.LimitedServletRequest;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * A request from the filter before the sign-in until its response has ended; one that hasn't passed
 * the filter, from its first handler. It is decided for each handler that it is dispatched to, and
 * ended once, by what has begun it.
 *
 * <p>Safe for concurrent use, as far as its dispatches come one after the other.
 */
final class MvcRequest extends LimitedServletRequest {
  private static final String ATTRIBUTE = MvcRequest.class.getName();

  private final MvcEndpoints endpoints;
  private final MvcRequestInfo info;

  /** The request of another application that has forwarded to this one. */
  private final @Nullable Object around;

  private volatile HandlerMatch match;
  private volatile MvcRequestInfo.View decidedAt;

  /** True once policies were decided before the sign-in. */
  private volatile boolean early;

  /** Whether a handler has been reached; the next one is reached by a dispatch. */
  private volatile boolean arrived;

  /** The binding of the thread that works on the current dispatch. */
  private volatile LimitedRequest.@Nullable Binding binding;

  private MvcRequest(
      MvcEndpoints endpoints, HttpServletRequest request, HandlerMatch match, MvcRequestInfo info) {
    super(endpoints.adapter(), request, info);
    this.around = request.getAttribute(ATTRIBUTE);
    this.endpoints = endpoints;
    this.match = match;
    this.info = info;
    this.decidedAt = info.view();
  }

  /** Begins a request, or goes on with one that another adapter of the application has begun. */
  static MvcRequest begin(MvcEndpoints endpoints, HttpServletRequest request, HandlerMatch match) {
    MvcRequestInfo info =
        new MvcRequestInfo(
            endpoints.adapter(), MvcRequestInfo.onTheWay(endpoints.adapter(), request, match));
    MvcRequest begun = new MvcRequest(endpoints, request, match, info);
    request.setAttribute(ATTRIBUTE, begun);
    if (!(request.getAttribute(LimitedRequest.ATTRIBUTE) instanceof RequestHolder holder)
        || holder.limitedRequest() != begun.limitedRequest()) {
      begun.mark(request);
    }
    begun.limitedRequest().moveTo(match.endpoint(), info);
    return begun;
  }

  static @Nullable MvcRequest of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof MvcRequest begun ? begun : null;
  }

  /** Finds a request that has begun in one application: another one may have forwarded it. */
  static @Nullable MvcRequest of(HttpServletRequest request, MvcEndpoints endpoints) {
    @Nullable MvcRequest begun = of(request);
    return begun != null && begun.endpoints == endpoints ? begun : null;
  }

  MvcEndpoints endpoints() {
    return endpoints;
  }

  @Override
  protected void unmark(HttpServletRequest request) {
    if (around != null) {
      request.setAttribute(ATTRIBUTE, around);
    }
    super.unmark(request);
  }

  /** Binds the request to this thread for one dispatch, so that limited calls know the caller. */
  LimitedRequest.Binding bind() {
    LimitedRequest.Binding bound = limitedRequest().bind(null);
    binding = bound;
    return bound;
  }

  /**
   * Ends the binding of a dispatch. The request may have gone on in another thread.
   *
   * @param before that of the dispatch around it, in the same thread
   */
  void unbind(LimitedRequest.Binding bound, LimitedRequest.@Nullable Binding before) {
    bound.close();
    if (binding == bound) {
      binding = before;
    }
  }

  LimitedRequest.@Nullable Binding binding() {
    return binding;
  }

  /** Returns whether this thread works on a dispatch that has bound the request. */
  boolean isBound() {
    return binding != null && limitedRequest().isBound();
  }

  /** Shows the body of the request as if nobody had read it for policies. */
  HttpServletRequest unread(HttpServletRequest passed) {
    return info.unread(passed);
  }

  /** Does the same where policies may read it later, right before a handler. */
  HttpServletRequest unreadLater(HttpServletRequest passed) {
    return info.unreadLater(passed);
  }

  /**
   * Shows the request as the filters of the application have left it, to a servlet that calls
   * limited methods: one of them may have signed in its user.
   */
  void seenBehindFilters(HttpServletRequest request) {
    if (!arrived) {
      MvcRequestInfo.View view = MvcRequestInfo.onTheWay(endpoints.adapter(), request, match);
      decidedAt = view;
      info.show(view);
    }
  }

  /**
   * Decides the policies that need no user, before any sign-in. This only adds to what is decided
   * at the handler, which may be another one.
   */
  Optional<Refusal> decideBeforeSignIn(HttpServletRequest request) {
    if (!match.limited()) {
      return Optional.empty();
    }
    early = true;
    List<HandlerMatch> limiting =
        match.candidates().stream()
            .filter(each -> each.endpoint().isBound(DecisionPhase.BEFORE_AUTHENTICATION))
            .toList();
    return limiting.size() <= 1 && match.siblings().isEmpty()
        ? decide(DecisionPhase.BEFORE_AUTHENTICATION, request)
        : decideCandidates(limiting.isEmpty() ? List.of(match) : limiting, request);
  }

  /**
   * Decides the policies of all handlers that a form may choose. A caller that has used up one of
   * them may be on its way to another, so the request is refused if all refuse; handlers without
   * policies don't count, or they would let any number of sign-ins pass.
   */
  private Optional<Refusal> decideCandidates(
      List<HandlerMatch> candidates, HttpServletRequest request) {
    Optional<Refusal> refused = Optional.empty();
    @Nullable HandlerMatch admitting = null;
    for (HandlerMatch each : candidates) {
      Optional<Refusal> refusal = decideCandidate(each, request);
      if (refusal.isEmpty()) {
        admitting = each;
      } else if (refused.isEmpty()) {
        refused = refusal;
      }
    }
    if (admitting != null && refused.isPresent()) {
      decideCandidate(admitting, request); // charges nothing more, and forgets the refusals
    }
    lookAt(match, request);
    return admitting != null ? Optional.empty() : refused;
  }

  private Optional<Refusal> decideCandidate(HandlerMatch candidate, HttpServletRequest request) {
    lookAt(candidate, request);
    Optional<Refusal> refusal = decide(DecisionPhase.BEFORE_AUTHENTICATION, request);
    if (refusal.isEmpty()) {
      limitedRequest().keep(); // the refusal of the next one must not refund it
    }
    return refusal;
  }

  private void lookAt(HandlerMatch candidate, HttpServletRequest request) {
    info.show(MvcRequestInfo.onTheWay(endpoints.adapter(), request, candidate));
    limitedRequest().moveTo(candidate.endpoint(), info);
  }

  /**
   * Decides what is still undecided, right before a handler. Other filters, or the handler that has
   * forwarded the request, have run by then, so that earlier charges are final. Charges that only a
   * candidate has made are refunded.
   */
  Optional<Refusal> decideAtHandler(HandlerMatch next, HttpServletRequest request) {
    HandlerMatch before = match;
    boolean isFirst = early && !arrived;
    boolean known = isFirst && before.isAt(next);
    moveTo(next, request);
    if (isFirst && !known) {
      correct(before, next);
    }
    if (!next.limited()) {
      return Optional.empty();
    }
    Optional<Refusal> refusal =
        known ? Optional.empty() : decide(DecisionPhase.BEFORE_AUTHENTICATION, request);
    if (refusal.isEmpty()) {
      refusal = decide(DecisionPhase.AFTER_AUTHENTICATION, request);
    }
    return refusal;
  }

  private void correct(HandlerMatch before, HandlerMatch next) {
    limitedRequest()
        .correct(
            before.isAmongCandidates(next)
                ? before.ofAllCandidates()
                : endpoints.adapter().unlimited());
  }

  /** Decides an included handler, whose refusal can't be sent as a response of its own. */
  Optional<RuntimeException> decidePart(HandlerMatch next, HttpServletRequest request) {
    moveTo(next, request);
    if (!next.limited()) {
      return Optional.empty();
    }
    return decidePart(request);
  }

  private void moveTo(HandlerMatch next, HttpServletRequest request) {
    MvcRequestInfo.View view = MvcRequestInfo.view(endpoints.adapter(), request, next);
    if (!arrived) {
      decidedAt = view;
      arrived = true;
    }
    match = next;
    info.show(view);
    limitedRequest().keep();
    limitedRequest().moveTo(next.endpoint(), info);
  }

  /**
   * Reads the user, whom Spring Security knows in this thread alone, for limited calls in others.
   */
  void knowUser() {
    if (endpoints.adapter().limitsCalls()) {
      info.user();
    }
  }

  /** Notes that this thread is about to call the handler, whose policies were decided. */
  void charged(HandlerMatch handler) {
    LimitedRequest.Binding bound = binding;
    @Nullable Method method = handler.handlerMethod();
    if (bound != null && method != null) {
      bound.charged(method);
    }
  }

  private Optional<Refusal> decide(DecisionPhase phase, HttpServletRequest request) {
    Optional<Refusal> refusal = limitedRequest().decide(phase);
    showDecision(request);
    return refusal;
  }

  /**
   * Writes the header fields before the handler is reached, if none of them can turn out to be of
   * another one: a field that was set can't be removed before Servlet 6.1.
   */
  void writeEarlyHeaders(HttpServletResponse response) {
    if (match.siblings().isEmpty()) {
      writeHeaders(response);
    }
  }

  /** Notes that the container has made an empty response. */
  void responseWasReset(HttpServletResponse response) {
    headersAreGone();
    writeHeaders(response);
  }

  @Override
  public void refuse(Refusal refusal, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!arrived) {
      observePattern(request);
      CrossOriginRules.apply(match.cors(), request, response);
    }
    super.refuse(refusal, request, response);
  }

  /**
   * Names the pattern in the request's observation, as Spring MVC does before it calls a handler.
   */
  private void observePattern(HttpServletRequest request) {
    if (match.hasTemplate()) {
      ServerHttpObservationFilter.findObservationContext(request)
          .ifPresent(context -> context.setPathPattern(match.pattern()));
    }
  }

  @Override
  protected void showAsDecided() {
    info.show(decidedAt);
  }
}
