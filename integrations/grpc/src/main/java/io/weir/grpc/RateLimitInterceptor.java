package io.weir.grpc;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Limits the services of a gRPC server by the annotations of their classes and methods.
 *
 * <pre>{@code
 * RateLimitInterceptor limits =
 *     RateLimitInterceptor.builder()
 *         .user((call, headers) -> Optional.ofNullable(SignIn.USER.get()))
 *         .build();
 * Server server =
 *     limits.start(
 *         ServerBuilder.forPort(8080)
 *             .addService(limits.limit(new Greeter()))
 *             .intercept(new SignIn()));
 * }</pre>
 *
 * <p>It has two places: around each service, by {@link #limit}, where everything is decided that
 * wasn't before; and outermost among the server's interceptors, where it decides what needs no
 * user, so that calls which the sign-in rejects count. Neither waits for the store: the events of a
 * call are kept in order meanwhile, and no message is asked for.
 *
 * <p>A refused call ends with {@code RESOURCE_EXHAUSTED} for 429, {@code UNAVAILABLE} for 503,
 * {@code PERMISSION_DENIED} for 403 or {@code INVALID_ARGUMENT} for 400, with {@code RetryInfo}
 * among its details and {@code grpc-retry-pushback-ms} in its trailers.
 *
 * <p>Safe for concurrent use. One for each server, since a service has one class there; to be
 * closed after it.
 */
public final class RateLimitInterceptor implements ServerInterceptor, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RateLimitInterceptor.class.getName());

  /** Prefix of gRPC's own services, such as health and reflection. */
  private static final String OF_GRPC = "grpc.";

  /** Bounds the services named in the log: behind a registry callers choose the names. */
  private static final int MAX_NAMED = 100;

  private final Adapter adapter;
  private final CallUser user;
  private final Executor executor;

  /** The threads that it has started itself; null if it was given an executor. */
  private final @Nullable ExecutorService threads;

  private final LimitedEndpoint withoutClass;
  private final Map<String, LimitedMethod> methods = new ConcurrentHashMap<>();
  private final Set<String> named = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean warnedOfUser = new AtomicBoolean();

  private RateLimitInterceptor(Builder options) {
    this.adapter = Weir.adapter(options.adapter);
    this.user = options.user;
    this.threads = options.executor == null ? CallThreads.start() : null;
    this.executor = threads == null ? Objects.requireNonNull(options.executor) : threads;
    this.withoutClass = adapter.withoutClass();
  }

  /**
   * Makes one for an application whose calls have no users, with the application's Weir.
   *
   * @return one that isn't started
   * @throws io.weir.InvalidSettingException if there are mistakes in settings
   */
  public static RateLimitInterceptor create() {
    return builder().build();
  }

  /**
   * Begins one with options.
   *
   * @return options with their defaults
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects options. Used by one thread. */
  public static final class Builder {
    private AdapterOptions adapter = AdapterOptions.defaults();
    private CallUser user = (call, headers) -> Optional.empty();
    private @Nullable Executor executor;

    private Builder() {}

    /**
     * Determines the Weir.
     *
     * @param options such as {@link AdapterOptions#withWeir}
     * @return this
     */
    public Builder options(AdapterOptions options) {
      adapter = options;
      return this;
    }

    /**
     * Names the users of calls, for policies by {@code USER}, tiers and rules. By default calls
     * have none, and such policies count them by address.
     *
     * @param names the function
     * @return this
     */
    public Builder user(CallUser names) {
      user = names;
      return this;
    }

    /**
     * Gives the threads in which calls go on that have waited for the store, and in which tiers,
     * keys and other parts of the application are called, since these may block. By default the
     * interceptor starts daemon threads when it needs them.
     *
     * @param threads such as the executor of the server, not a direct one; its owner ends it
     * @return this
     */
    public Builder executor(Executor threads) {
      executor = threads;
      return this;
    }

    /**
     * Makes the interceptor.
     *
     * @return one that isn't started
     * @throws io.weir.InvalidSettingException if there are mistakes in settings
     */
    public RateLimitInterceptor build() {
      return new RateLimitInterceptor(this);
    }
  }

  /**
   * Limits a service by the annotations of its class, which is found also behind subclasses that
   * frameworks generate. Interceptors for this service alone go around what is returned.
   *
   * @param service the service
   * @return the service to add to the server
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations; the message lists
   *     all
   * @throws IllegalArgumentException if another class with a service of this name is limited here
   */
  public ServerServiceDefinition limit(BindableService service) {
    return limit(service.bindService(), asWritten(service.getClass()));
  }

  /**
   * Limits a service by the annotations of a class that is called by the one that is bound, such as
   * one that a framework has generated.
   *
   * @param service the service as it is bound
   * @param type the class that carries the annotations, as it is written
   * @return the service to add to the server
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations; the message lists
   *     all
   * @throws IllegalArgumentException if another class with a service of this name is limited here
   */
  public ServerServiceDefinition limit(ServerServiceDefinition service, Class<?> type) {
    Map<String, LimitedMethod> found = ServiceMethods.read(adapter, service, type);
    found.forEach(this::register);
    ServerServiceDefinition.Builder limited =
        ServerServiceDefinition.builder(service.getServiceDescriptor());
    service
        .getMethods()
        .forEach(
            each ->
                limited.addMethod(
                    guarded(
                        each,
                        Objects.requireNonNull(
                            found.get(each.getMethodDescriptor().getFullMethodName())))));
    return limited.build();
  }

  private void register(String name, LimitedMethod method) {
    LimitedMethod other = methods.putIfAbsent(name, method);
    if (other != null && other.type() != method.type()) {
      throw new IllegalArgumentException(
          name
              + ": is answered by "
              + other.type().getName()
              + " and by "
              + method.type().getName()
              + ", but one RateLimitInterceptor has one class for each service. Make one for each"
              + " server");
    }
  }

  private <Q, R> ServerMethodDefinition<Q, R> guarded(
      ServerMethodDefinition<Q, R> method, LimitedMethod limits) {
    return method.withServerCallHandler(
        new GuardedHandler<>(this, limits, method.getServerCallHandler()));
  }

  /** Returns the class that a generated subclass extends. */
  private static Class<?> asWritten(Class<?> type) {
    Class<?> written = type;
    while (isGenerated(written)) {
      written = written.getSuperclass();
    }
    return written;
  }

  /**
   * Returns whether a class is a proxy's: what extends generated code, which is abstract, isn't.
   */
  private static boolean isGenerated(Class<?> type) {
    Class<?> extended = type.getSuperclass();
    return type.getName().contains("$$")
        && BindableService.class.isAssignableFrom(extended)
        && !Modifier.isAbstract(extended.getModifiers());
  }

  /**
   * Starts a server with this as its outermost interceptor. Names services in the log that {@link
   * #limit} wasn't called for; gRPC's own, such as health, need no limits.
   *
   * @param server has all its services and interceptors
   * @return the server, started
   * @throws IOException if it can't start
   */
  public Server start(ServerBuilder<?> server) throws IOException {
    Server built = server.intercept(this).build().start();
    built
        .getServices()
        .forEach(service -> service.getMethods().forEach(each -> find(each.getMethodDescriptor())));
    noteStart();
    return built;
  }

  private void noteStart() {
    if (!started.get() && started.compareAndSet(false, true)) {
      adapter.started();
    }
  }

  /** Returns the limits of a method; null, and warns, if its service isn't limited. */
  private @Nullable LimitedMethod find(MethodDescriptor<?, ?> called) {
    @Nullable LimitedMethod found = methods.get(called.getFullMethodName());
    if (found == null && named.size() < MAX_NAMED) {
      warn(String.valueOf(called.getServiceName()));
    }
    return found;
  }

  private void warn(String service) {
    if (!service.startsWith(OF_GRPC) && named.add(service)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The gRPC service "
              + service
              + " was added to the server without RateLimitInterceptor.limit(…), so annotations of"
              + " its class limit nothing. Add it by addService(limits.limit(service)).");
    }
  }

  /**
   * Decides what needs no user before the interceptors inside, and everything if the service isn't
   * limited by its class.
   */
  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    @Nullable GuardedCall<?, ?> begun = GuardedCall.in(call);
    if (begun != null && begun.isOf(this)) {
      return next.startCall(call, headers); // it was added twice
    }
    @Nullable LimitedMethod method = find(call.getMethodDescriptor());
    GuardedCall<Q, R> made = begin(call, headers, method);
    return made.start(
        () ->
            method == null
                ? made.decideAfter(made, headers, false, () -> pass(made, headers, next))
                : pass(made, headers, next));
  }

  private static <Q, R> ServerCall.Listener<Q> pass(
      GuardedCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return BoundListener.start(call, call, null, true, () -> next.startCall(call, headers));
  }

  /** Begins a call, or goes on with one that the interceptor of another server has begun. */
  <Q, R> GuardedCall<Q, R> begin(
      ServerCall<Q, R> call, Metadata headers, @Nullable LimitedMethod method) {
    noteStart();
    String path = method == null ? LimitedMethod.path(call.getMethodDescriptor()) : method.path();
    GrpcRequestInfo info = new GrpcRequestInfo(adapter, call, headers, path);
    LimitedEndpoint endpoint = method == null ? withoutClass : method.endpoint();
    if (adapter.limitsPaths()) {
      endpoint = endpoint.and(adapter.endpoint(path, false));
    }
    @Nullable GuardedCall<?, ?> left = GuardedCall.in(call);
    LimitedRequest request = begin(info, endpoint, left == null ? null : left.request());
    request.countInFlight();
    return new GuardedCall<>(this, call, request, endpoint, info);
  }

  LimitedRequest begin(
      GrpcRequestInfo info, LimitedEndpoint endpoint, @Nullable LimitedRequest left) {
    LimitedRequest request = adapter.begin(info, left);
    request.moveTo(endpoint, info);
    return request;
  }

  /** Returns whether calls of methods that a handler makes may be limited by user. */
  boolean limitsCalls() {
    return adapter.limitsCalls();
  }

  @SuppressWarnings("ConstantValue") // the application's function may return null
  void nameUser(GrpcRequestInfo info, ServerCall<?, ?> call, Metadata headers) {
    try {
      Optional<String> name = user.name(call, headers);
      Optional<String> issuer = user.issuer(call, headers);
      info.setUser(
          name == null ? Optional.empty() : name, issuer == null ? Optional.empty() : issuer);
    } catch (RuntimeException | LinkageError failure) {
      info.setUser(Optional.empty(), Optional.empty());
      if (warnedOfUser.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "The CallUser of the RateLimitInterceptor failed, so the call counts as one without a"
                + " user (logged once)",
            failure);
      }
    }
  }

  /** Returns what runs the parts of the application: this thread if there are none. */
  Executor blocking() {
    return adapter.callsApplication() ? this::execute : Runnable::run;
  }

  /** Runs a task in a thread of its own; in this one if the interceptor is closed. */
  void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException closed) {
      task.run();
    }
  }

  /**
   * Ends it, when its server has. The last adapter of an application closes its Weir, unless that
   * was given. Calls that come later are admitted. Idempotent.
   */
  @Override
  public void close() {
    adapter.close();
    if (threads != null) {
      threads.shutdown();
    }
  }
}
