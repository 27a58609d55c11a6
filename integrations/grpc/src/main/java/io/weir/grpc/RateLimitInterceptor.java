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
import io.grpc.ServiceDescriptor;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
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
  private final UserFinder users;
  private final Executor executor;

  /** Returns what a call goes on in that has waited; null if that is the executor. */
  private final @Nullable Supplier<Executor> callExecutor;

  private final BooleanSupplier waits;

  /** Finds what another adapter has begun. */
  private final Function<ServerCall<?, ?>, Optional<LimitedRequest>> begun;

  /** The threads that it has started itself; null if it was given an executor. */
  private final @Nullable ExecutorService threads;

  private final LimitedEndpoint withoutClass;
  private final Map<String, LimitedMethod> methods = new ConcurrentHashMap<>();
  private final Set<String> named = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean started = new AtomicBoolean();

  private RateLimitInterceptor(Builder options) {
    this.adapter = Weir.adapter(options.adapter);
    this.users = new UserFinder(adapter, options.user, options.principal);
    this.callExecutor = options.callExecutor;
    this.waits = options.waits;
    this.begun = options.begun;
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
    private @Nullable CallPrincipal principal;
    private @Nullable Executor executor;
    private @Nullable Supplier<Executor> callExecutor;
    private BooleanSupplier waits = () -> false;
    private Function<ServerCall<?, ?>, Optional<LimitedRequest>> begun = call -> Optional.empty();

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
      principal = null;
      return this;
    }

    /**
     * Finds the users of calls where that may take time, in place of {@link #user}.
     *
     * @param finds the function
     * @return this
     */
    public Builder principal(CallPrincipal finds) {
      principal = finds;
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
     * Determines for each call in which thread it goes on after it has waited, such as in the event
     * loop of its connection, where a server has its interceptors run there alone. By default it
     * goes on in a thread of {@link #executor}, which calls the parts of the application in any
     * case.
     *
     * @param ofCall asked in the thread that begins the call, before anything is decided; the
     *     executor must run tasks of one call one after the other
     * @return this
     */
    public Builder callExecutor(Supplier<Executor> ofCall) {
      callExecutor = ofCall;
      return this;
    }

    /**
     * Says whether a thread may wait for a decision: then the call goes on in it, and the parts of
     * the application are called there too. It is for servers that bring the events of some calls
     * in threads for blocking methods, which the handler must run in. By default no thread waits.
     *
     * @param mayWait asked in the thread
     * @return this
     */
    public Builder waitsIf(BooleanSupplier mayWait) {
      waits = mayWait;
      return this;
    }

    /**
     * Lets calls go on with requests that another adapter of the same Weir has begun, such as for
     * the request of HTTP that carries a call: what that has decided isn't decided again.
     *
     * @param finds finds the request of a call, in the thread that begins the call; empty for a
     *     call that nothing has begun
     * @return this
     */
    public Builder begun(Function<ServerCall<?, ?>, Optional<LimitedRequest>> finds) {
      begun = finds;
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
    Map<String, LimitedMethod> found = register(service.getServiceDescriptor(), type);
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

  /**
   * Limits a service by the annotations of a class, for a framework that binds its services itself:
   * all calls must pass this interceptor and, inside of all others, {@link #innermost()}.
   *
   * @param service the service as it is bound
   * @param type the class that carries the annotations, as it is written
   * @throws io.weir.InvalidPolicyException if there are mistakes in annotations; the message lists
   *     all
   * @throws IllegalArgumentException if another class with a service of this name is limited here
   */
  public void limit(ServiceDescriptor service, Class<?> type) {
    var unused = register(service, type);
  }

  private Map<String, LimitedMethod> register(ServiceDescriptor service, Class<?> type) {
    Map<String, LimitedMethod> found = ServiceMethods.read(adapter, service, type);
    found.forEach(this::register);
    return found;
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

  /**
   * Returns the interceptor that decides what this one has left, usually the policies by user, for
   * services that were limited by {@link #limit(ServiceDescriptor, Class)}. Services that are
   * wrapped by one of the other methods don't need it. Interceptors inside of it see only calls
   * that were admitted, and an exception that they throw is final.
   *
   * @return an interceptor to be added so that it runs after those of the application
   */
  public ServerInterceptor innermost() {
    return new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        @Nullable LimitedMethod method =
            methods.get(call.getMethodDescriptor().getFullMethodName());
        return method == null
            ? next.startCall(call, headers)
            : new GuardedHandler<>(RateLimitInterceptor.this, method, next)
                .startCall(call, headers);
      }
    };
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
    LimitedRequest request =
        begin(info, endpoint, left == null ? begun.apply(call).orElse(null) : left.request());
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

  /** Finds the user of a call, whom its request has once this is done; it never fails. */
  CompletableFuture<?> nameUser(GrpcRequestInfo info, ServerCall<?, ?> call, Metadata headers) {
    return users.find(info, call, headers);
  }

  /** Returns what the call of this thread goes on in when it has waited. */
  Executor callExecutor() {
    return callExecutor == null ? this::execute : callExecutor.get();
  }

  /** Returns what runs the parts of the application: this thread if there are none. */
  Executor blocking() {
    return adapter.callsApplication() && !mayWait() ? this::execute : Runnable::run;
  }

  /** Returns whether this thread may wait for a decision. */
  boolean mayWait() {
    return waits.getAsBoolean();
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
