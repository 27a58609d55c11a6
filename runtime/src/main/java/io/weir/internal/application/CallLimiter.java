package io.weir.internal.application;

import io.weir.InvalidPolicyException;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import io.weir.internal.guard.CurrentRequest;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.guard.RequestServices;
import io.weir.internal.policy.PolicyCatalog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the calls of one method, as objects of one class run it.
 *
 * <p>Safe for concurrent use. A class may hold it: it refers only weakly to a Weir, so it keeps
 * neither a stopped application nor a closed Weir in memory.
 */
public final class CallLimiter implements LimitedCall {
  private static final Logger LOG = System.getLogger("io.weir.aspectj.LimitedCall");
  private static final int SUCCESS = 200;

  /** True once any class of this JVM was woven, by whatever application. */
  private static volatile boolean woven;

  /** Stands for woven code, which runs within all other layers. */
  private static final Object INNERMOST = CallLimiter.class;

  private final Class<?> type;
  private final Method method;
  private final List<String> names;

  /** The method that runs, then those that it overrides or implements. */
  private final List<Method> declarations;

  /** False for a method that a limit of its class isn't meant for. */
  private final boolean limited;

  private final String label;

  /** The layer in which it runs; each execution of a method counts once in all of its layers. */
  private final Object layer;

  /** Finds the Weir of calls outside of a request. */
  private final Supplier<Optional<RequestServices>> outside;

  private volatile Bound bound = new Bound(new WeakReference<>(null), new WeakReference<>(null), 0);

  private CallLimiter(
      Class<?> type,
      Method method,
      List<String> names,
      Object layer,
      boolean limited,
      Supplier<Optional<RequestServices>> outside) {
    this.type = type;
    this.method = method;
    this.limited = limited;
    this.names = List.copyOf(names);
    if (names.size() > method.getParameterCount()) {
      throw new IllegalArgumentException(
          method + " has fewer parameters than names were given: " + names);
    }
    this.declarations = PolicyCatalog.declarations(type, method);
    this.label = method.getDeclaringClass().getSimpleName() + "#" + method.getName();
    this.layer = layer;
    this.outside = outside;
  }

  /**
   * Limits calls that run in threads of any application or of none.
   *
   * @param type the class that runs
   */
  public static CallLimiter ofApplication(Class<?> type, Method method, List<String> names) {
    woven = true;
    return new CallLimiter(
        type,
        method,
        names,
        INNERMOST,
        true, // the pointcut leaves out the others
        () -> ApplicationWeirs.get(type).map(WeirRuntime::requests));
  }

  /** Returns whether woven code has limited any call so far, or is about to. */
  static boolean isWoven() {
    return woven;
  }

  /**
   * Limits calls that one adapter sees. A limit of the class limits no method that isn't public,
   * nor what frameworks call themselves.
   *
   * @param adapter returns what requests need of its Weir; empty once it is closed. Stands for the
   *     adapter as a layer, so that a call keeps neither the adapter nor a closed Weir in memory
   */
  static CallLimiter ofAdapter(
      Class<?> type,
      Method method,
      List<String> names,
      Supplier<Optional<RequestServices>> adapter) {
    boolean limited =
        PolicyCatalog.isAnnotated(type, method)
            || Modifier.isPublic(method.getModifiers()) && !isOfObject(method) && !isSetter(method);
    return new CallLimiter(type, method, names, adapter, limited, adapter);
  }

  private static boolean isOfObject(Method method) {
    return switch (method.getName()) {
      case "hashCode", "toString" -> method.getParameterCount() == 0;
      case "equals" -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {Object.class});
      default -> false;
    };
  }

  private static boolean isSetter(Method method) {
    return method.getReturnType() == void.class
        && method.getParameterCount() == 1
        && method.getName().matches("set\\p{Lu}.*");
  }

  /**
   * Reads the annotations of the method before its first call.
   *
   * @throws InvalidPolicyException if there are mistakes
   */
  void check() {
    outside.get().ifPresent(this::endpoint);
  }

  @Override
  public boolean takeCharge() {
    return takeCharge(CurrentRequest.current());
  }

  private boolean takeCharge(@Nullable CurrentRequest current) {
    if (current == null) {
      return false;
    }
    GuardedRequest request = (GuardedRequest) current.request();
    return current.takeCharge(declarations, layer)
        || request != null && request.takeCharge(declarations, layer);
  }

  @Override
  public @Nullable Object run(@Nullable Object[] arguments, Body body) throws Throwable {
    if (!limited) {
      return body.run();
    }
    CurrentRequest current = CurrentRequest.current();
    if (takeCharge(current)) {
      return body.run();
    }
    GuardedRequest around = around(current);
    GuardedEndpoint endpoint = endpoint(around);
    if (endpoint == null || endpoint.isEmpty()) {
      return body.run();
    }
    GuardedRequest call = endpoint.enterCall(label, names, arguments, around);
    call.admit();
    report(call, around);
    return layer == INNERMOST ? finish(body, call) : finishWithin(body, call, around);
  }

  /** Returns the request that this thread is bound to. */
  public static Optional<LimitedRequest> currentRequest() {
    return Optional.ofNullable(CurrentRequest.current()).map(CurrentRequest::request);
  }

  /** Returns the request of the thread, unless its Weir was closed. */
  private static @Nullable GuardedRequest around(@Nullable CurrentRequest current) {
    GuardedRequest bound = current == null ? null : (GuardedRequest) current.request();
    return bound != null && bound.services().isOpen() ? bound : null;
  }

  private @Nullable GuardedEndpoint endpoint(@Nullable GuardedRequest around) {
    RequestServices services = around == null ? outside.get().orElse(null) : around.services();
    return services == null ? null : endpoint(services);
  }

  private static void report(GuardedRequest call, @Nullable GuardedRequest around) {
    if (around != null) {
      call.reportTo(around);
    }
  }

  /** Binds the call for the layers within this one. */
  private @Nullable Object finishWithin(
      Body body, GuardedRequest call, @Nullable GuardedRequest around) throws Throwable {
    try (CurrentRequest unused = CurrentRequest.bindCall(around, method, layer)) {
      return finish(body, call);
    }
  }

  private static @Nullable Object finish(Body body, GuardedRequest call) throws Throwable {
    Object result;
    try {
      result = body.run();
    } catch (Throwable failure) {
      finish(call, false);
      throw failure;
    }
    if (result instanceof CompletionStage<?> stage) {
      await(stage, call);
    } else {
      finish(call, true);
    }
    return result;
  }

  private static void await(CompletionStage<?> stage, GuardedRequest call) {
    try {
      var unused = stage.whenComplete((value, failure) -> finish(call, failure == null));
    } catch (RuntimeException | LinkageError unwatchable) {
      LOG.log(Level.ERROR, "the outcome of a call couldn't be watched", unwatchable);
      finish(call, true);
    }
  }

  private static void finish(GuardedRequest call, boolean success) {
    try {
      if (success) {
        call.completed(SUCCESS);
      } else {
        call.failed();
      }
    } catch (RuntimeException | LinkageError failure) {
      LOG.log(Level.ERROR, "the outcome of a call couldn't be counted", failure);
    }
  }

  @Override
  public CompletionStage<@Nullable Object> runAsync(
      @Nullable Object[] arguments,
      Supplier<? extends CompletionStage<?>> body,
      Executor executor) {
    if (!limited) {
      return started(body);
    }
    CurrentRequest current = CurrentRequest.current();
    if (takeCharge(current)) {
      return started(body);
    }
    GuardedRequest around = around(current);
    GuardedEndpoint endpoint;
    try {
      endpoint = endpoint(around);
    } catch (RuntimeException mistake) { // in annotations
      return CompletableFuture.failedFuture(mistake);
    }
    if (endpoint == null || endpoint.isEmpty()) {
      return started(body);
    }
    GuardedRequest call = endpoint.enterCall(label, names, arguments, around);
    return call.admitAsync(executor)
        .thenCompose(
            admitted -> {
              report(call, around);
              return startedWithin(body, call, around);
            });
  }

  private CompletionStage<@Nullable Object> startedWithin(
      Supplier<? extends CompletionStage<?>> body,
      GuardedRequest call,
      @Nullable GuardedRequest around) {
    try (CurrentRequest unused = CurrentRequest.bindCall(around, method, layer)) {
      return started(body).whenComplete((value, failure) -> finish(call, failure == null));
    }
  }

  private static CompletionStage<@Nullable Object> started(
      Supplier<? extends CompletionStage<?>> body) {
    try {
      return body.get().thenApply(value -> value);
    } catch (Throwable failure) { // also a checked one, which other languages may throw
      return CompletableFuture.failedFuture(failure);
    }
  }

  private @Nullable GuardedEndpoint endpoint(RequestServices services) {
    Bound last = bound;
    @Nullable GuardedEndpoint known = last.endpoint().get();
    int generation = services.callGeneration(); // before the lookup
    if (known != null && last.generation == generation && last.services().refersTo(services)) {
      return known;
    }
    GuardedEndpoint made =
        (GuardedEndpoint) // no other class implements it
            services
                .calls()
                .endpoint(type, method, policy -> mistakes(GuardedEndpoint.parameters(policy)))
                .orElse(null);
    if (made != null) {
      InvalidPolicyException.throwIfAny(mistakes(made.parameters()));
      bound = new Bound(new WeakReference<>(services), new WeakReference<>(made), generation);
    }
    return made;
  }

  /** Finds mistakes in expressions that read a parameter. */
  private List<String> mistakes(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .flatMap(each -> mistake(each.getKey(), each.getValue()).stream())
        .map(mistake -> method.getDeclaringClass().getSimpleName() + "#" + mistake)
        .toList();
  }

  private Optional<String> mistake(String member, String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      return Optional.of(
          String.format(
                  Locale.ROOT,
                  "%s: %s: the method has no such parameter, only %s; if these aren't their names,",
                  method.getName(),
                  member,
                  names)
              + " compile it with -parameters");
    }
    return method.getParameterTypes()[index].isArray()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "%s: %s: the parameter must not be an array",
                method.getName(),
                member))
        : Optional.empty();
  }

  /**
   * The endpoint of the last call.
   *
   * @param generation see {@link RequestServices#callGeneration}
   */
  private record Bound(
      WeakReference<RequestServices> services,
      WeakReference<GuardedEndpoint> endpoint,
      int generation) {}
}
