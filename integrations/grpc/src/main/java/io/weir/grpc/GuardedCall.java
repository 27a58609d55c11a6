package io.weir.grpc;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.weir.adapter.HeaderField;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.spi.DecisionPhase;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call with its request: decides it without waiting, shows the caller its limits, and reports the
 * status that it ends with. It goes with the call through the application's interceptors, as an
 * attribute of it.
 *
 * <p>As thread-safe as the call.
 */
final class GuardedCall<Q, R> extends ForwardingServerCall.SimpleForwardingServerCall<Q, R> {
  private static final Attributes.Key<GuardedCall<?, ?>> KEY =
      Attributes.Key.create("io.weir.grpc.GuardedCall");

  private final RateLimitInterceptor owner;
  private final LimitedRequest request;
  private final LimitedEndpoint endpoint;
  private final GrpcRequestInfo info;
  private final Attributes attributes;

  /** Gets the events of gRPC, and passes them to the listener inside. */
  private final QueuedListener<Q> outermost = new QueuedListener<>(this);

  private final Context context = Context.current();

  /** Runs what has waited. */
  private final Executor executor;

  private final AtomicBoolean countsMessages = new AtomicBoolean();
  private volatile boolean closed;

  /** True once the end by the client has been reported: not every server says so by the call. */
  private volatile boolean cancelled;

  /** True from when a refusal is to close the call, which may take time. */
  private volatile boolean refusing;

  /** The fields that the client has got already. */
  private volatile List<HeaderField> sent = List.of();

  GuardedCall(
      RateLimitInterceptor owner,
      ServerCall<Q, R> call,
      LimitedRequest request,
      LimitedEndpoint endpoint,
      GrpcRequestInfo info) {
    super(call);
    this.owner = owner;
    this.request = request;
    this.endpoint = endpoint;
    this.info = info;
    this.executor = owner.callExecutor();
    this.attributes = call.getAttributes().toBuilder().set(KEY, this).build();
  }

  /** Returns what an interceptor has begun; null if none has. */
  static @Nullable GuardedCall<?, ?> in(ServerCall<?, ?> call) {
    return call.getAttributes().get(KEY);
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public boolean isCancelled() {
    return cancelled || super.isCancelled();
  }

  /** Ends the request at once, even while a decision is pending. */
  void cancel() {
    cancelled = true;
    request.failed();
  }

  boolean isOf(RateLimitInterceptor interceptor) {
    return owner == interceptor;
  }

  LimitedRequest request() {
    return request;
  }

  /**
   * Decides the policies that need no user, and goes on.
   *
   * @param next starts what gets the call if they admit it
   * @return what gRPC gets
   */
  Listener<Q> start(Supplier<Listener<Q>> next) {
    // As an event, so that nothing goes on before the interceptors inside are ready for it.
    outermost
        .events()
        .add(
            () ->
                outermost.start(
                    () ->
                        decide(UserFinder.DONE, DecisionPhase.BEFORE_AUTHENTICATION, this, next)));
    return outermost;
  }

  /**
   * Decides the policies by user, as the application's interceptors have left the call. Asks for
   * the user only where something may need it.
   *
   * @param perMessage whether messages will be decided, perhaps by policies that come meanwhile
   */
  <A> Listener<A> decideAfter(
      ServerCall<A, ?> call, Metadata headers, boolean perMessage, Supplier<Listener<A>> next) {
    boolean needsUser =
        perMessage || endpoint.decides(DecisionPhase.AFTER_AUTHENTICATION) || owner.limitsCalls();
    CompletableFuture<?> named = needsUser ? owner.nameUser(info, call, headers) : UserFinder.DONE;
    return decide(named, DecisionPhase.AFTER_AUTHENTICATION, call, next);
  }

  /** Makes charges final, since interceptors may have run since they were decided. */
  void keep() {
    if (endpoint.decides(DecisionPhase.AFTER_AUTHENTICATION)) {
      request.keep();
    }
  }

  /**
   * Decides a phase.
   *
   * @param named done when the user is known, as far as the phase needs one
   */
  private <A> Listener<A> decide(
      CompletableFuture<?> named,
      DecisionPhase phase,
      ServerCall<A, ?> call,
      Supplier<Listener<A>> next) {
    if (named.isDone() && !endpoint.decides(phase)) {
      return next.get();
    }
    CompletableFuture<Optional<Refusal>> decision =
        named.isDone() ? decide(phase) : named.thenCompose(done -> decide(phase));
    if (decision.isDone() || owner.mayWait()) {
      Optional<Refusal> refusal = decision.join();
      return isCancelled() ? new Listener<>() {} : proceed(refusal, call, next);
    }
    QueuedListener<A> late = new QueuedListener<>(this);
    whenDecided(decision, call, late, refusal -> late.start(() -> proceed(refusal, call, next)));
    return late;
  }

  private CompletableFuture<Optional<Refusal>> decide(DecisionPhase phase) {
    return endpoint.decides(phase)
        ? request.decideAsync(phase, owner.blocking()).toCompletableFuture()
        : CompletableFuture.completedFuture(Optional.empty());
  }

  private <A> Listener<A> proceed(
      Optional<Refusal> refusal, ServerCall<A, ?> call, Supplier<Listener<A>> next) {
    if (refusal.isEmpty()) {
      return next.get();
    }
    refuse(refusal.get(), call);
    return new Listener<>() {};
  }

  /**
   * Lets each message that a listener gets count as a call of its own.
   *
   * @param call the call as the handler of the listener sees it
   */
  <A> Listener<A> byMessage(MessageCall<A, ?> call, Listener<A> handler) {
    QueuedListener<A> queued = new QueuedListener<>(this);
    queued.start(() -> new MessageListener<>(this, call, queued, handler));
    return queued;
  }

  /** Returns whether the caller is to count messages: the first that asks, if wrapped twice. */
  boolean claimMessages() {
    return countsMessages.compareAndSet(false, true);
  }

  /** Begins the request of one message. */
  LimitedRequest beginMessage() {
    return owner.begin(info, endpoint, null);
  }

  /** Returns whether this thread may wait for a decision. */
  boolean mayWait() {
    return owner.mayWait();
  }

  /** Decides all policies of a message, those by user too. */
  CompletableFuture<Optional<Refusal>> decideMessage(LimitedRequest message) {
    return message
        .decideAsync(DecisionPhase.BEFORE_AUTHENTICATION, owner.blocking())
        .thenCompose(
            refusal ->
                refusal.isPresent()
                    ? CompletableFuture.completedFuture(refusal)
                    : message.decideAsync(DecisionPhase.AFTER_AUTHENTICATION, owner.blocking()))
        .toCompletableFuture();
  }

  /**
   * Holds the events of the call back until something is decided. Then goes on in a thread that may
   * run code of the application, as if that came with an event of gRPC.
   *
   * @param listener the one that waits
   */
  void whenDecided(
      CompletableFuture<Optional<Refusal>> decision,
      ServerCall<?, ?> call,
      QueuedListener<?> listener,
      Consumer<Optional<Refusal>> decided) {
    listener.events().hold();
    outermost.events().hold();
    Context inside = Context.current();
    var unused =
        decision.thenAccept(
            refusal -> {
              Runnable next = inside.wrap(() -> decided.accept(refusal));
              executor.execute(
                  () -> context.run(() -> release(() -> listener.goOn(next, outermost), call)));
            });
  }

  /** Lets events go on, and closes the call where gRPC doesn't see what its handler throws. */
  private void release(Runnable first, ServerCall<?, ?> call) {
    try {
      outermost.events().release(first);
    } catch (RuntimeException | Error thrown) {
      closeByException(call, thrown);
      throw thrown;
    }
  }

  /** Ends a call as gRPC does if a handler throws, but with the fields that show the limits. */
  private void closeByException(ServerCall<?, ?> call, Throwable thrown) {
    if (!closed) {
      @Nullable Metadata trailers = Status.trailersFromThrowable(thrown);
      call.close(
          Status.UNKNOWN.withDescription("Application error processing RPC").withCause(thrown),
          trailers == null ? new Metadata() : trailers);
    }
  }

  /**
   * Ends a call by a refusal, unless it has ended: a handler may answer before its last message.
   */
  void refuse(Refusal refusal, ServerCall<?, ?> call) {
    if (closed) {
      return;
    }
    request.answered(refusal);
    Status status = RefusalStatus.of(refusal);
    Metadata trailers = new Metadata();
    RefusalStatus.addRetry(refusal, status, trailers);
    call.close(status, trailers);
  }

  /**
   * Ends a call whose handler or interceptor has thrown: by the refusal of a limited call that it
   * has made, if it was one.
   *
   * @param isOutermost whether no interceptor is left that may translate the exception
   * @throws RuntimeException what was thrown, if it is something else, for gRPC to log
   */
  void answerOrThrow(ServerCall<?, ?> call, Throwable thrown, boolean isOutermost) {
    @Nullable Status refused = RefusalStatus.thrown(thrown);
    if (refused != null && !closed) {
      call.close(refused, new Metadata());
      return;
    }
    if (refusing) {
      return; // gRPC would end the call by what was thrown
    }
    if (isOutermost) {
      closeByException(call, thrown);
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  @Override
  public void sendMessage(R message) {
    if (!refusing) {
      super.sendMessage(message);
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    if (refusing) {
      return;
    }
    List<HeaderField> fields = request.headers();
    RefusalStatus.put(fields, headers);
    sent = fields;
    super.sendHeaders(headers);
  }

  /** Ignores what comes after a refusal: the handler may complete a stream that it has refused. */
  @Override
  public void close(Status status, Metadata trailers) {
    if (refusing) {
      return;
    }
    closed = true;
    if (isUnexplained(status.getCode()) && RefusalStatus.thrown(status.getCause()) != null) {
      refusing = true;
      owner.execute(() -> closeByRefusal(status, trailers)); // it may ask the store
    } else {
      end(status, trailers);
    }
  }

  /** Returns whether a code may come from an exception that nobody has translated. */
  private static boolean isUnexplained(Status.Code code) {
    return switch (code) {
      case UNKNOWN, RESOURCE_EXHAUSTED, INVALID_ARGUMENT -> true;
      default -> false;
    };
  }

  private void closeByRefusal(Status thrown, Metadata trailers) {
    Throwable cause = thrown.getCause();
    Optional<Refusal> refusal = cause == null ? Optional.empty() : request.refusalIn(cause);
    Status status = thrown;
    if (refusal.isPresent()) {
      request.answered(refusal.get());
      status = RefusalStatus.of(refusal.get()).withCause(cause);
      RefusalStatus.addRetry(refusal.get(), status, trailers);
    }
    end(status, trailers);
  }

  /** Refunds what doesn't count before the client learns of the end. */
  private void end(Status status, Metadata trailers) {
    request.completed(RefusalStatus.toHttp(status.getCode()));
    List<HeaderField> fields = request.headers();
    if (fields != sent) {
      RefusalStatus.put(fields, trailers);
    }
    super.close(status, trailers);
  }
}
