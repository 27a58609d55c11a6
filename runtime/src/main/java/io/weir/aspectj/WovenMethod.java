package io.weir.aspectj;

import io.weir.InvalidPolicyException;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.policy.EndpointKind;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aspectj.lang.JoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * A woven method, as objects of one class run it, and its endpoint.
 *
 * <p>Safe for concurrent use. The class holds it, and it refers only weakly to a Weir, so it keeps
 * neither a stopped application nor a closed Weir in memory.
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
  private final List<String> names;
  private final String label;
  private final boolean endpoint;
  private volatile Bound bound = new Bound(new WeakReference<>(null), new WeakReference<>(null));

  private WovenMethod(Class<?> runs, MethodSignature signature) {
    this.method = signature.getMethod();
    this.type = isOverridden(method, runs) ? method.getDeclaringClass() : runs;
    this.names = names(signature);
    this.label = method.getDeclaringClass().getSimpleName() + "#" + method.getName();
    this.endpoint = WebEndpointCheck.isEndpoint(type, method);
  }

  /** Returns whether it was called through {@code super}; then its own class limits it. */
  private static boolean isOverridden(Method method, Class<?> runs) {
    @Nullable Class<?> each = runs;
    while (each != null && each != method.getDeclaringClass()) {
      if (Arrays.stream(WebEndpointCheck.declared(each))
          .anyMatch(other -> overrides(other, method))) {
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

  Class<?> type() {
    return type;
  }

  Method method() {
    return method;
  }

  /** Returns class and method, such as {@code Search#search}. */
  String label() {
    return label;
  }

  List<String> names() {
    return names;
  }

  /** Returns whether the policy of its class applies to it. */
  boolean isEndpoint() {
    return endpoint;
  }

  /** Returns the method's endpoint in an application, with its policies. */
  GuardedEndpoint endpoint(WeirRuntime weir) {
    Bound last = bound;
    @Nullable GuardedEndpoint known = last.endpoint().get();
    if (known != null && last.weir().refersTo(weir)) {
      return known;
    }
    GuardedEndpoint made =
        weir.endpointAtRequest(
            type,
            Optional.of(method),
            EndpointKind.METHOD,
            policy -> mistakes(GuardedEndpoint.parameters(policy)));
    InvalidPolicyException.throwIfAny(mistakes(made.parameters()));
    bound = new Bound(new WeakReference<>(weir), new WeakReference<>(made));
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

  private record Bound(WeakReference<WeirRuntime> weir, WeakReference<GuardedEndpoint> endpoint) {}
}
