package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.LimitedRequest.Binding;
import io.weir.adapter.Refusal;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.internal.container.WatchedRequest;
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
final class RequestScope implements WatchedRequest {
  static final String PROPERTY = RequestScope.class.getName();

  private final ContainerRequestContext context;
  private final JaxrsRequest request;
  private final LimitedRequest limited;
  private final boolean begunElsewhere;
  private @Nullable Method charged;
  private boolean watched;

  /** The thread that runs the resource method, which may resume the response and go on. */
  private volatile @Nullable Thread running;

  /** To the thread of the filters, or to the one that writes the response. */
  private volatile @Nullable Binding binding;

  private volatile @Nullable Binding ofMethod;
  private volatile @Nullable Binding ofResponse;
  private boolean needsOutcome;
  private volatile int status;

  private RequestScope(
      ContainerRequestContext context,
      JaxrsRequest request,
      LimitedRequest limited,
      boolean begunElsewhere) {
    this.context = context;
    this.request = request;
    this.limited = limited;
    this.begunElsewhere = begunElsewhere;
  }

  /** Begins a request, or goes on with one that a servlet filter has begun. */
  static RequestScope begin(ContainerRequestContext context, JaxrsApplication application) {
    JaxrsRequest request = application.request(context);
    Object left = context.getProperty(LimitedRequest.ATTRIBUTE);
    LimitedRequest limited = application.adapter().begin(request, left);
    if (left != null) {
      // Woven methods are to see the user who has signed in by a filter of JAX-RS.
      limited.moveTo(application.adapter().unlimited(), request);
    }
    RequestScope scope = new RequestScope(context, request, limited, left != null);
    context.setProperty(PROPERTY, scope);
    return scope;
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

  LimitedRequest limited() {
    return limited;
  }

  /** Counts the request as in flight until its end, unless the servlet filter does. */
  void countInFlight() {
    if (!begunElsewhere) {
      limited.countInFlight();
    }
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
      LimitedEndpoint endpoint,
      ResourceTemplate template,
      ForeignFilterPosition others) {
    moveTo(endpoint, template, others);
    Optional<Response> refusal = decided(limited.decide(phase));
    if (refusal.isPresent()) {
      context.abortWith(refusal.get());
    }
  }

  /**
   * Decides a phase as the other method does, while the thread does other work. Parts that the
   * application has plugged in are called in this thread, which knows the user.
   */
  void decideAsync(
      DecisionPhase phase,
      LimitedEndpoint endpoint,
      ResourceTemplate template,
      ForeignFilterPosition others,
      JaxrsImplementation implementation) {
    moveTo(endpoint, template, others);
    request.keepUser(); // a source of policies may answer in a thread that doesn't know it
    implementation.await(
        context,
        limited.decideAsync(phase, Runnable::run),
        refusal -> {
          if (phase == DecisionPhase.BEFORE_AUTHENTICATION) {
            request.releaseUser();
          }
          return decided(refusal);
        },
        this::runRest);
  }

  private void moveTo(
      LimitedEndpoint endpoint, ResourceTemplate template, ForeignFilterPosition others) {
    if (charged == null) { // the first phase
      request.setResource(template);
      limited.moveTo(endpoint, request);
    }
    if (others == ForeignFilterPosition.BETWEEN
        || others == ForeignFilterPosition.BEFORE_BOTH && begunElsewhere) {
      limited.keep();
    }
    Method method = template.method();
    charged = method;
    Binding bound = binding;
    if (bound != null) {
      bound.charged(method);
    }
  }

  private Optional<Response> decided(Optional<Refusal> refusal) {
    needsOutcome = limited.needsOutcome();
    if (limited.isDecided()) {
      context.setProperty(Decision.class.getName(), limited.decision());
    }
    return refusal.map(ProblemEntity::response);
  }

  /** Runs the rest of a request that has waited, perhaps in another thread. */
  private void runRest(Runnable rest) {
    bindHere();
    try {
      rest.run();
    } finally {
      leave();
    }
  }

  /** Returns whether a charge depends on how the response ends. */
  boolean needsOutcome() {
    return needsOutcome;
  }

  /** Binds this request to the current thread, in which its filters run. */
  Binding enter() {
    Binding bound = limited.bind(charged);
    binding = bound;
    return bound;
  }

  @Override
  public void bindHere() {
    if (!limited.isBound()) {
      leave();
      Binding unused = enter();
    }
  }

  /** Binds this request to the current thread, which is about to run the resource method. */
  void enterMethod() {
    running = Thread.currentThread();
    ofMethod = limited.bind(charged);
    charged = null; // only its first call is charged already
  }

  /** Unbinds this request from the thread in which its method has returned. */
  void leaveMethod() {
    running = null;
    Binding bound = ofMethod;
    if (bound != null) {
      bound.close();
    }
  }

  /** Binds this request to the current thread, which writes the response. */
  void resume() {
    if (runsHere()) {
      request.keepCaller();
    } else {
      bindHere();
    }
  }

  /**
   * Unbinds this request from its thread, and restores the request that was bound before. Does
   * nothing while the resource method still runs in the current thread, having resumed the response
   * itself.
   */
  @Override
  public void leave() {
    Binding bound = binding;
    if (bound != null && !runsHere()) {
      binding = null;
      bound.close();
    }
  }

  /** Binds this request to the current thread, unless its filters have run there too. */
  void beginResponse() {
    if (!limited.isBound()) {
      ofResponse = limited.bind(null);
    }
  }

  /**
   * Unbinds this request after the response from all threads: the implementation may report the end
   * of a method in its thread no more, once that has resumed the response itself.
   */
  void endResponse() {
    Binding bound = ofResponse;
    if (bound != null) {
      ofResponse = null;
      bound.close();
    }
    leave();
  }

  private boolean runsHere() {
    return running == Thread.currentThread();
  }

  @Override
  public void unanswered(BiConsumer<String, String> fields) {
    if (status == 0) {
      limited.headers().forEach(each -> fields.accept(each.name(), each.value()));
    }
    failed(); // without effect on a request whose response has ended
    leave();
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
    limited.completed(status);
  }

  /** Ends the request without a response, or with a part of one, unless it has ended. */
  void failed() {
    limited.aborted(status);
  }
}
