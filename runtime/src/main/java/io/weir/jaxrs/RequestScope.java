package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.internal.container.JaxrsImplementation.ThreadWatch;
import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.http.Refusal;
import io.weir.spi.DecisionPhase;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.BiConsumer;
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
  private volatile int status;
  private volatile boolean ended;

  /** The binding to the thread of the filters, where no events bind and unbind it. */
  private volatile @Nullable CurrentRequest bound;

  private RequestScope(ContainerRequestContext context, JaxrsRequest request) {
    this.context = context;
    this.request = request;
  }

  /** Begins a request in the thread of its first filter, and binds it there. */
  static void begin(ContainerRequestContext context, JaxrsRequest request) {
    context.setProperty(PROPERTY, new RequestScope(context, request));
    CurrentRequest.enter(request, Optional.empty());
  }

  /** Begins a request where no events bind and unbind it. */
  static void begin(
      ContainerRequestContext context, JaxrsRequest request, JaxrsImplementation implementation) {
    RequestScope scope = new RequestScope(context, request);
    context.setProperty(PROPERTY, scope);
    scope.enter(implementation);
  }

  /** Binds this request to the current thread as long as that works on it. */
  private void enter(JaxrsImplementation implementation) {
    request.watch(
        implementation.watchThread(this::leave, this::unanswered).orElseGet(() -> new Lasting()));
    bound = CurrentRequest.enter(request, charged);
  }

  /** Runs the rest of a request that has waited, perhaps in another thread. */
  void runRest(JaxrsImplementation implementation, Runnable rest) {
    enter(implementation);
    try {
      rest.run();
    } finally {
      leave();
    }
  }

  /** Completes the request as failed if it ended without a response of JAX-RS. */
  private void unanswered(BiConsumer<String, String> fields) {
    if (status == 0) {
      request
          .entered()
          .ifPresent(each -> each.headers().forEach(one -> fields.accept(one.name(), one.value())));
      failed();
    }
    release();
  }

  /** Unbinds the request from the thread of its filters, wherever that is now. */
  void release() {
    ended = true;
    CurrentRequest binding = bound;
    if (binding != null) {
      bound = null;
      binding.expire();
    }
  }

  /** Takes the thread as working on the request until the response has ended. */
  private final class Lasting implements ThreadWatch {
    @Override
    public boolean isServedHere() {
      return !ended;
    }

    @Override
    public boolean hasLeft() {
      return ended;
    }
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
    GuardedRequest entered = enter(endpoint, template, others);
    decided(entered, entered.decide(phase)).ifPresent(context::abortWith);
  }

  /** Decides a phase as the other method does, while the thread does other work. */
  void decideAsync(
      DecisionPhase phase,
      GuardedEndpoint endpoint,
      ResourceTemplate template,
      ForeignFilterPosition others,
      JaxrsImplementation implementation) {
    GuardedRequest entered = enter(endpoint, template, others);
    request.keepUser();
    implementation.await(
        context,
        entered.decideAsync(phase),
        refusal -> {
          if (phase == DecisionPhase.BEFORE_AUTHENTICATION) {
            request.releaseUser();
          }
          return decided(entered, refusal);
        },
        rest -> runRest(implementation, rest));
  }

  private GuardedRequest enter(
      GuardedEndpoint endpoint, ResourceTemplate template, ForeignFilterPosition others) {
    request.setResource(template);
    GuardedRequest entered = request.enter(endpoint);
    if (others == ForeignFilterPosition.BETWEEN
        || others == ForeignFilterPosition.BEFORE_BOTH && request.isBegunElsewhere()) {
      entered.keep();
    }
    charged = Optional.of(template.method());
    CurrentRequest.charge(request, template.method());
    return entered;
  }

  private Optional<Response> decided(GuardedRequest entered, Optional<Refusal> refusal) {
    needsOutcome = entered.needsOutcome();
    if (entered.isDecided()) {
      context.setProperty(Decision.class.getName(), entered.decision());
    }
    return refusal.map(ProblemEntity::response);
  }

  /** Returns whether a charge depends on how the response ends. */
  boolean needsOutcome() {
    return needsOutcome;
  }

  /** Binds this request to the current thread, which is about to run the resource method. */
  void enterMethod() {
    running = Thread.currentThread();
    CurrentRequest.enter(request, charged);
    charged = Optional.empty(); // only its first call is charged already
  }

  /** Unbinds this request from the thread in which its method has returned. */
  void leaveMethod() {
    running = null;
    CurrentRequest.leave(request);
  }

  /** Binds this request to the current thread, which writes the response. */
  void resume() {
    if (runsHere()) {
      request.keepCaller();
    } else if (!CurrentRequest.is(request)) {
      CurrentRequest.enter(request, Optional.empty());
    }
  }

  /**
   * Unbinds this request from the thread and restores the request that was bound before. Does
   * nothing while the resource method still runs in this thread, having resumed the response
   * itself.
   */
  void leave() {
    if (!runsHere()) {
      CurrentRequest.leave(request);
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
