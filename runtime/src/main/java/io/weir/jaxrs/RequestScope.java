package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.http.Refusal;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the filters, the threads that work on it, and the writing of its
 * response. It is completed by the first of these: a response without a body, a body written to its
 * end, a caller who hangs up, a failure.
 *
 * <p>Confine to one thread at a time.
 */
final class RequestScope {
  static final String PROPERTY = RequestScope.class.getName();

  private final ContainerRequestContext context;
  private final JaxrsRequest request;
  private Optional<Method> charged = Optional.empty();
  private boolean watched;

  /** The thread in which the endpoint's method runs; it may answer itself, and go on. */
  private volatile @Nullable Thread running;

  private boolean needsOutcome;
  private int status;

  private RequestScope(ContainerRequestContext context, JaxrsRequest request) {
    this.context = context;
    this.request = request;
  }

  static void begin(ContainerRequestContext context, JaxrsRequest request) {
    context.setProperty(PROPERTY, new RequestScope(context, request));
    CurrentRequest.enter(request, Optional.empty());
  }

  /** Nothing if the request matched no resource method. */
  static Optional<RequestScope> of(ContainerRequestContext context) {
    return of(context.getProperty(PROPERTY));
  }

  /** What an interceptor finds. */
  static Optional<RequestScope> of(@Nullable Object property) {
    return property instanceof RequestScope scope ? Optional.of(scope) : Optional.empty();
  }

  JaxrsRequest request() {
    return request;
  }

  Optional<GuardedRequest> guarded() {
    return request.entered();
  }

  /** Jersey reports each time the request enters or leaves a thread, and its end. */
  void watch() {
    watched = true;
  }

  boolean isWatched() {
    return watched;
  }

  /**
   * Decides a phase, and aborts the request if it is refused.
   *
   * @param others the filters of others that have run for the request: what was decided before them
   *     is final, and no refusal refunds it
   */
  void decide(
      DecisionPhase phase,
      GuardedEndpoint endpoint,
      ResourceTemplate template,
      ForeignFilterPosition others) {
    request.answeredBy(template);
    GuardedRequest entered = request.enter(endpoint);
    if (others == ForeignFilterPosition.BETWEEN
        || others == ForeignFilterPosition.BEFORE_BOTH && request.isBegunElsewhere()) {
      entered.keep();
    }
    charged = Optional.of(template.method());
    CurrentRequest.charge(request, template.method());
    Optional<Refusal> refusal = entered.decide(phase);
    needsOutcome = entered.needsOutcome();
    if (entered.isDecided()) {
      context.setProperty(Decision.class.getName(), entered.decision());
    }
    refusal.map(ProblemEntity::response).ifPresent(context::abortWith);
  }

  /** Whether it matters how the response ends: see {@link GuardedRequest#needsOutcome()}. */
  boolean needsOutcome() {
    return needsOutcome;
  }

  /** Lets a thread, perhaps not the one of before, run the endpoint's method. */
  void enterMethod() {
    running = Thread.currentThread();
    CurrentRequest.enter(request, charged);
    charged = Optional.empty(); // for its own first run only
  }

  /** Unbinds this request from the thread in which its method has returned. */
  void leaveMethod() {
    running = null;
    CurrentRequest.leave(request);
  }

  /** Lets a thread, perhaps another caller's, write the response of this one. */
  void resume() {
    if (runsHere()) {
      request.keepCaller();
    } else if (!CurrentRequest.is(request)) {
      CurrentRequest.enter(request, Optional.empty());
    }
  }

  /**
   * Unbinds this request from the thread, and restores what was bound before. Without effect where
   * the endpoint's method still runs, which has answered by itself.
   */
  void leave() {
    if (!runsHere()) {
      CurrentRequest.leave(request);
    }
  }

  private boolean runsHere() {
    return running == Thread.currentThread();
  }

  /** The filters are done with a response: without a body that is its end. */
  void responds(int withStatus, boolean hasBody) {
    status = withStatus;
    if (!hasBody) {
      succeeded();
    }
  }

  /** The response is as it is to be: whether it is a failure says its status. */
  void succeeded() {
    Optional<GuardedRequest> guarded = request.entered();
    if (guarded.isPresent()) {
      guarded.get().completed(status);
    }
  }

  /** Without effect after a response. */
  void failed() {
    Optional<GuardedRequest> guarded = request.entered();
    if (guarded.isPresent()) {
      guarded.get().failed();
    }
  }
}
