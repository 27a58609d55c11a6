package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.adapter.Refusal;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.guard.ThreadRequest;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request from the first filter to the end of its response, in all threads that work on it. The
 * first of these completes it: a response without a body, the end of a body, a caller that hangs
 * up, a failure.
 *
 * <p>Confine to one thread at a time.
 */
final class RequestScope {
  static final String PROPERTY = RequestScope.class.getName();

  private final ContainerRequestContext context;
  private final JaxrsRequest request;
  private Optional<Method> charged = Optional.empty();
  private boolean watched;

  /** The thread that runs the resource method, which may resume the response and go on. */
  private volatile @Nullable Thread running;

  private boolean needsOutcome;
  private int status;

  private RequestScope(ContainerRequestContext context, JaxrsRequest request) {
    this.context = context;
    this.request = request;
  }

  static void begin(ContainerRequestContext context, JaxrsRequest request) {
    context.setProperty(PROPERTY, new RequestScope(context, request));
    ThreadRequest.enter(request, Optional.empty());
  }

  /** Finds the scope of a request; empty if the request matched no resource method. */
  static Optional<RequestScope> of(ContainerRequestContext context) {
    return of(context.getProperty(PROPERTY));
  }

  /** Reads the scope from a property of the request. */
  static Optional<RequestScope> of(@Nullable Object property) {
    return property instanceof RequestScope scope ? Optional.of(scope) : Optional.empty();
  }

  JaxrsRequest request() {
    return request;
  }

  Optional<GuardedRequest> guarded() {
    return request.entered();
  }

  /** Notes that Jersey's events report the threads of the request and its end. */
  void watch() {
    watched = true;
  }

  boolean isWatched() {
    return watched;
  }

  /**
   * Decides a phase, and aborts the request if it is refused.
   *
   * @param others position of other filters: decisions before them are final, and no refusal
   *     refunds them
   */
  void decide(
      DecisionPhase phase,
      GuardedEndpoint endpoint,
      ResourceTemplate template,
      ForeignFilterPosition others) {
    request.setResource(template);
    GuardedRequest entered = request.enter(endpoint);
    if (others == ForeignFilterPosition.BETWEEN
        || others == ForeignFilterPosition.BEFORE_BOTH && request.isBegunElsewhere()) {
      entered.keep();
    }
    charged = Optional.of(template.method());
    ThreadRequest.charge(request, template.method());
    Optional<Refusal> refusal = entered.decide(phase);
    needsOutcome = entered.needsOutcome();
    if (entered.isDecided()) {
      context.setProperty(Decision.class.getName(), entered.decision());
    }
    refusal.map(ProblemEntity::response).ifPresent(context::abortWith);
  }

  /** Returns whether a charge depends on how the response ends. */
  boolean needsOutcome() {
    return needsOutcome;
  }

  /** Binds this request to the current thread, which is about to run the resource method. */
  void enterMethod() {
    running = Thread.currentThread();
    ThreadRequest.enter(request, charged);
    charged = Optional.empty(); // only its first call is charged already
  }

  /** Unbinds this request from the thread in which its method has returned. */
  void leaveMethod() {
    running = null;
    ThreadRequest.leave(request);
  }

  /** Binds this request to the current thread, which writes the response. */
  void resume() {
    if (runsHere()) {
      request.keepCaller();
    } else if (!ThreadRequest.is(request)) {
      ThreadRequest.enter(request, Optional.empty());
    }
  }

  /**
   * Unbinds this request from the thread and restores the request that was bound before. Does
   * nothing while the resource method still runs in this thread, having resumed the response
   * itself.
   */
  void leave() {
    if (!runsHere()) {
      ThreadRequest.leave(request);
    }
  }

  private boolean runsHere() {
    return running == Thread.currentThread();
  }

  /** Notes the response after the last filter; without a body, this ends it. */
  void responds(int withStatus, boolean hasBody) {
    status = withStatus;
    if (!hasBody) {
      succeeded();
    }
  }

  /** Completes the request by the status of its response. */
  void succeeded() {
    Optional<GuardedRequest> guarded = request.entered();
    if (guarded.isPresent()) {
      guarded.get().completed(status);
    }
  }

  /** Completes the request as failed, unless it has a response. */
  void failed() {
    Optional<GuardedRequest> guarded = request.entered();
    if (guarded.isPresent()) {
      guarded.get().failed();
    }
  }
}
