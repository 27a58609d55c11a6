package io.weir.cdi;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds the limits of all beans of one application: from its start, when it checks them, or from
 * the first limited call if that comes earlier, to its end.
 *
 * <p>Safe for concurrent use.
 */
@ApplicationScoped
class MethodLimits {
  private final LimitedMethods methods;
  private final Map<Class<?>, Map<Method, LimitedInvocation>> known = new ConcurrentHashMap<>();
  private @Nullable Adapter adapter;

  @Inject
  MethodLimits(LimitedMethods methods) {
    this.methods = methods;
  }

  /** For the proxy that the container makes. */
  MethodLimits() {
    this(LimitedMethods.NONE);
  }

  /**
   * Checks all limits when the application starts, after a web application's own settings are
   * known. One message lists all mistakes.
   *
   * @throws InvalidPolicyException if there are mistakes
   */
  void check(
      @Observes
          @Initialized(ApplicationScoped.class)
          @Priority(Interceptor.Priority.PLATFORM_BEFORE)
          Object started) {
    if (methods.isEmpty()) {
      return;
    }
    try {
      InvalidPolicyException.throwIfAny(mistakes());
      adapter().started();
    } catch (RuntimeException | Error refused) {
      close(); // the container of an application that doesn't start ends nothing
      throw refused;
    }
  }

  private List<String> mistakes() {
    List<String> mistakes = new ArrayList<>();
    for (String name : methods.classes()) {
      Class<?> type = load(name);
      for (Method each : methods.of(type)) {
        mistakes.addAll(mistakes(type, each));
      }
    }
    return mistakes;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException absent) {
      throw new IllegalStateException(name + " has limits, but can't be loaded", absent);
    }
  }

  private List<String> mistakes(Class<?> type, Method method) {
    try {
      adapter().endpoint(type, method, EndpointType.METHOD);
      of(type, method);
      return List.of();
    } catch (InvalidPolicyException invalid) {
      return invalid.mistakes();
    }
  }

  private synchronized Adapter adapter() {
    Adapter opened = adapter;
    if (opened == null) {
      opened = Weir.adapter(AdapterOptions.defaults());
      adapter = opened;
    }
    return opened;
  }

  /**
   * Finds the limits of a call.
   *
   * @param target the bean's object; null for a static method
   * @param method the method that is called
   * @throws InvalidPolicyException before the check at the start, if there are mistakes
   */
  LimitedInvocation of(@Nullable Object target, Method method) {
    return of(
        target == null ? method.getDeclaringClass() : methods.written(target.getClass()), method);
  }

  /** Returns the request that the thread is bound to; empty if no bean has limits. */
  Optional<LimitedRequest> currentRequest() {
    return methods.isEmpty() ? Optional.empty() : adapter().currentRequest();
  }

  private LimitedInvocation of(Class<?> type, Method method) {
    Map<Method, LimitedInvocation> ofType =
        known.computeIfAbsent(type, any -> new ConcurrentHashMap<>());
    LimitedInvocation found = ofType.get(method);
    if (found != null) {
      return found;
    }
    LimitedCall call = adapter().call(type, method, LimitedMethods.parameterNames(method));
    LimitedInvocation made = Invocations.of(method, call, adapter());
    LimitedInvocation before = ofType.putIfAbsent(method, made);
    return before == null ? made : before;
  }

  @PreDestroy
  synchronized void close() {
    if (adapter != null) {
      adapter.close();
    }
  }
}
