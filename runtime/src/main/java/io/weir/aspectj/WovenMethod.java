package io.weir.aspectj;

import io.weir.InvalidPolicyException;
import io.weir.adapter.LimitedCall;
import io.weir.internal.container.HandlerClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * A woven method, as objects of one class run it, and its endpoint.
 *
 * <p>Safe for concurrent use. The class holds it, so it keeps no Weir in memory.
 */
final class WovenMethod {
  private static final ClassValue<Map<Method, WovenMethod>> KNOWN =
      new ClassValue<>() {
        @Override
        protected Map<Method, WovenMethod> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private final Class<?> type;
  private final Method method;
  private final boolean endpoint;
  private final boolean suspends;
  private final LimitedCall calls;

  private WovenMethod(Class<?> runs, MethodSignature signature) {
    this.method = signature.getMethod();
    this.type = isOverridden(method, runs) ? method.getDeclaringClass() : runs;
    this.endpoint = WebEndpointCheck.isEndpoint(type, method);
    this.suspends = HandlerClass.isSuspendFunction(method);
    this.calls = LimitedCall.of(type, method, names(signature));
  }

  /** Returns whether it was called through {@code super}; then its own class limits it. */
  private static boolean isOverridden(Method method, Class<?> runs) {
    @Nullable Class<?> each = runs;
    while (each != null && each != method.getDeclaringClass()) {
      if (Arrays.stream(HandlerClass.methods(each)).anyMatch(other -> overrides(other, method))) {
        return true;
      }
      each = each.getSuperclass();
    }
    return false;
  }

  private static boolean overrides(Method other, Method method) {
    return !Modifier.isPrivate(method.getModifiers())
        && other.getName().equals(method.getName())
        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes());
  }

  /** Finds the method of a call. Its class is that of the object; of a static method its own. */
  static WovenMethod of(JoinPoint call) {
    MethodSignature signature = (MethodSignature) call.getSignature();
    Object target = call.getThis();
    Class<?> runs = target == null ? signature.getDeclaringType() : target.getClass();
    Map<Method, WovenMethod> known = KNOWN.get(runs);
    WovenMethod found = known.get(signature.getMethod());
    return found != null
        ? found
        : known.computeIfAbsent(signature.getMethod(), key -> new WovenMethod(runs, signature));
  }

  /** Reads the parameters' names from the class file's table, else from its debug information. */
  private static List<String> names(MethodSignature signature) {
    Parameter[] parameters = signature.getMethod().getParameters();
    boolean kept = Arrays.stream(parameters).allMatch(Parameter::isNamePresent);
    return kept
        ? Arrays.stream(parameters).map(Parameter::getName).toList()
        : List.of(signature.getParameterNames());
  }

  Method method() {
    return method;
  }

  /**
   * Returns its limits.
   *
   * @throws InvalidPolicyException if it can't be limited
   */
  LimitedCall calls() {
    if (suspends) {
      throw new InvalidPolicyException(
          List.of(
              method.getDeclaringClass().getSimpleName()
                  + "#"
                  + method.getName()
                  + ": a woven suspend function can't be limited, since each time that it goes on"
                  + " would count; limit a function that calls it, or leave its class out of the"
                  + " weaving and have Spring limit it"));
    }
    return calls;
  }

  /** Returns whether the policy of its class applies to it. */
  boolean isEndpoint() {
    return endpoint;
  }
}
