package io.weir.servlet;

import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.guard.CurrentRequest;
import io.weir.guard.GuardedRequest;
import io.weir.guard.Phase;
import io.weir.guard.Weir;
import io.weir.http.HeaderField;
import io.weir.http.Refusal;
import io.weir.key.KeyTooLongException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request's way through the filters of an application, from the first of them until the
 * response is known: however often it is dispatched, it is decided and settled once.
 */
final class Passage {
  private static final String ATTRIBUTE = Passage.class.getName();

  private final Weir weir;
  private final ServletRequestInfo info;
  private final AtomicBoolean entered = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile Endpoints.Endpoint endpoint;
  private volatile GuardedRequest guarded;
  private volatile List<HeaderField> headers = List.of();
  private volatile @Nullable Decision noted;
  private volatile boolean decidedBefore;
  private volatile boolean decidedAfter;

  private Passage(Weir weir, ServletRequestInfo info, Endpoints.Endpoint endpoint) {
    this.weir = weir;
    this.info = info;
    this.endpoint = endpoint;
    this.guarded = endpoint.guard().enter(info);
  }

  /** The passage that a filter before has begun. */
  static Optional<Passage> of(HttpServletRequest request) {
    // Another application, which a request can be forwarded to, has a Passage class of its own.
    return request.getAttribute(ATTRIBUTE) instanceof Passage passage
        ? Optional.of(passage)
        : Optional.empty();
  }

  static Passage begin(Weir weir, HttpServletRequest request, Endpoints endpoints) {
    Passage passage =
        new Passage(weir, new ServletRequestInfo(weir, request), endpoints.of(request));
    request.setAttribute(ATTRIBUTE, passage);
    weir.inFlight().begin();
    return passage;
  }

  /**
   * Goes on to where a request is dispatched, if nothing limits where it came from: else whoever
   * forwards, a welcome page say, would be a way past the limits of what it forwards to.
   */
  void follow(HttpServletRequest request, Endpoints endpoints) {
    if (!endpoint.guard().isEmpty()) {
      return;
    }
    endpoint = endpoints.of(request);
    guarded = endpoint.guard().enter(info);
    decidedBefore = false;
    decidedAfter = false;
    if (CurrentRequest.is(info)) {
      CurrentRequest.bind(info, endpoint.method());
    }
  }

  /** True for the filter that comes first, and settles the request in the end. */
  boolean enter() {
    return entered.compareAndSet(false, true);
  }

  /** Decides what is still undecided of some phases, until one refuses. */
  Optional<Refusal> decide(List<Phase> phases, HttpServletRequest request) {
    for (Phase phase : phases) {
      if (begin(phase)) {
        info.readThrough(request);
        Optional<Refusal> refusal = guarded.decide(phase);
        note(request);
        if (refusal.isPresent()) {
          return refusal;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether a phase is still undecided, which it isn't from now on. */
  private boolean begin(Phase phase) {
    if (phase == Phase.BEFORE_AUTHENTICATION) {
      boolean first = !decidedBefore;
      decidedBefore = true;
      return first;
    }
    boolean first = !decidedAfter;
    decidedAfter = true;
    return first;
  }

  /** To write the fields costs as much as to decide: not again after a phase without policies. */
  private void note(HttpServletRequest request) {
    if (guarded.isDecided()) {
      Decision decision = guarded.decision();
      if (decision != noted) {
        noted = decision;
        request.setAttribute(Decision.class.getName(), decision);
        headers = guarded.headers();
      }
    }
  }

  /** What tells the caller of its limits. */
  List<HeaderField> headers() {
    return headers;
  }

  /** Makes what a refusal says the last word. */
  void refused(Refusal refusal) {
    headers = refusal.headers();
  }

  /** What a woven method refused, however the application has wrapped it. */
  Optional<Refusal> refusalIn(Throwable thrown) {
    return Responses.causes(thrown).flatMap(each -> refusal(each).stream()).findFirst();
  }

  private Optional<Refusal> refusal(Throwable thrown) {
    if (thrown instanceof KeyTooLongException tooLong) {
      return Optional.of(weir.refusals().badRequest(tooLong.getMessage()));
    }
    return thrown instanceof RateLimitExceededException refused
        ? Optional.of(weir.refusals().of(refused.decision()))
        : Optional.empty();
  }

  /** Binds the request to this thread, unless it is, and gives back what undoes that. */
  Runnable bind() {
    if (CurrentRequest.is(info)) {
      return () -> {};
    }
    Optional<CurrentRequest> outer = CurrentRequest.bind(info, endpoint.method());
    return () -> CurrentRequest.restore(outer);
  }

  /** The response is known. */
  void completed(int status) {
    if (ended.compareAndSet(false, true)) {
      guarded.completed(status);
      weir.inFlight().end();
    }
  }

  /** There was an exception instead of a response. */
  void failed() {
    if (ended.compareAndSet(false, true)) {
      guarded.failed();
      weir.inFlight().end();
    }
  }
}
