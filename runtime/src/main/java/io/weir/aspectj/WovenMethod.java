package io.weir.aspectj;

import io.weir.InvalidPolicyException;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.WeirRuntime;
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
 * A woven method as objects of one class run it.
 *
 * <p>Safe for concurrent use. It is held by the class that it belongs to and refers only weakly to
 * a Weir, so it keeps neither a stopped application nor a closed Weir in memory.
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

  /** An overridden method was called through {@code super}, and so is limited as its class is. */
  private static boolean isOverridden(Method method, Class<?> runs) {
    @Nullable Class<?> each = runs;
    while (each != null && each != method.getDeclaringClass()) {
      if (Arrays.stream(WebEndpointCheck.declared(each)).anyMatch(other -> overrides(other, method))) {
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

  /** The method of a call, run by the class of its object; a static one by its own class. */
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

  /** From the class file's own table, else from debug information, where the weaver found them. */
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

  /** Class and method, as people name them. */
  String label() {
    return label;
  }

  List<String> names() {
    return names;
  }

  /** Whether a class's policy is meant for it. */
  boolean isEndpoint() {
    return endpoint;
  }

  /** The endpoint that it is in an application. */
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
                  "%s: %s: the method's parameters are %s; compile it with -parameters",
                  method.getName(),
                  member,
                  names)
              + " if these aren't their names");
    }
    return method.getParameterTypes()[index].isArray()
        ? Optional.of(
            String.format(Locale.ROOT, "%s: %s: an array can't be read", method.getName(), member))
        : Optional.empty();
  }

  private record Bound(WeakReference<WeirRuntime> weir, WeakReference<GuardedEndpoint> endpoint) {}
}
