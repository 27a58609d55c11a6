package io.weir.cdi;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedCall;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** The adapter that a framework has opened, which starts and ends it; none elsewhere. */
  private final @Nullable Instance<Adapter> given;

  private final Map<Class<?>, Map<Method, LimitedInvocation>> known = new ConcurrentHashMap<>();
  private @Nullable Adapter adapter;

  @Inject
  MethodLimits(LimitedMethods methods, @Any Instance<Adapter> given) {
    this.methods = methods;
    this.given = given;
  }

  /** For the proxy that the container makes. */
  MethodLimits() {
    this.methods = LimitedMethods.NONE;
    this.given = null;
  }

  /**
   * Checks all limits when a framework starts that has opened an adapter as a bean, and says so by
   * an event. One message lists all mistakes.
   *
   * @throws InvalidPolicyException if there are mistakes
   */
  void check(@Observes Adapter opened) {
    InvalidPolicyException.throwIfAny(mistakes());
  }

  /**
   * Checks all limits when the application starts, after a web application's own settings are
   * known, unless a framework does so. One message lists all mistakes.
   *
   * @throws InvalidPolicyException if there are mistakes
   */
  void check(
      @Observes
          @Initialized(ApplicationScoped.class)
          @Priority(Interceptor.Priority.PLATFORM_BEFORE)
          Object started) {
    if (methods.isEmpty() || isGiven()) {
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
      return isLimitedAsResource(type, method) ? List.of() : invalid.mistakes();
    }
  }

  /**
   * Returns whether a resource method has limits that only a request can have, such as by a key in
   * its body. Other calls of it aren't limited then.
   */
  private boolean isLimitedAsResource(Class<?> type, Method method) {
    if (!isResourceMethod(type, method)) {
      return false;
    }
    try {
      adapter().endpoint(type, method, EndpointType.JAXRS);
    } catch (InvalidPolicyException alsoThere) {
      return false;
    }
    known
        .computeIfAbsent(type, any -> new ConcurrentHashMap<>())
        .put(method, InvocationContext::proceed);
    return true;
  }

  private static boolean isResourceMethod(@Nullable Class<?> type, Method method) {
    return type != null
        && (Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(method.getName()))
                .filter(each -> Arrays.equals(each.getParameterTypes(), method.getParameterTypes()))
                .anyMatch(each -> EndpointType.JAXRS.httpMethod().read(each).isPresent())
            || isResourceMethod(type.getSuperclass(), method)
            || Arrays.stream(type.getInterfaces())
                .anyMatch(each -> isResourceMethod(each, method)));
  }

  private synchronized Adapter adapter() {
    Adapter opened = adapter;
    if (opened == null) {
      opened =
          isGiven() ? Objects.requireNonNull(given).get() : Weir.adapter(AdapterOptions.defaults());
      adapter = opened;
    }
    return opened;
  }

  private boolean isGiven() {
    return given != null && given.isResolvable();
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
    if (adapter != null && !isGiven()) {
      adapter.close();
    }
  }
}
