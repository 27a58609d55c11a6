package io.weir.internal.policy.draft;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists a class with its superclasses and interfaces, and finds the methods that override each
 * other. Type variables are replaced by their arguments, as the compiler does.
 *
 * <p>Java reads either all methods of a class or none: if one of them mentions a missing class (an
 * optional dependency, for example), none can be read by reflection, though they work. Such a class
 * has no methods here, and {@link #missing()} says why.
 *
 * <p>Most of the work is reading a class, so ask one object for several methods. Immutable.
 */
public final class ClassHierarchy {
  private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();
  private final Set<Class<?>> ancestors = new LinkedHashSet<>();
  private final List<Method> methods = new ArrayList<>();
  private final Map<String, List<Method>> named = new HashMap<>();
  private Optional<LinkageError> missing = Optional.empty();

  /**
   * Reads a class.
   *
   * @param type the class that serves
   */
  public ClassHierarchy(Class<?> type) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      ancestors.add(each);
    }
    // Interfaces come after all classes, the nearest first.
    List<Class<?>> level = new ArrayList<>(ancestors);
    while (!level.isEmpty()) {
      List<Class<?>> next = new ArrayList<>();
      for (Class<?> each : level) {
        next.addAll(List.of(each.getInterfaces()));
      }
      level = next;
      ancestors.addAll(level);
    }
    ancestors.forEach(this::bind);
    Map<Method, Method> open = open(type);
    for (Class<?> each : ancestors) {
      for (Method declared : declared(each)) {
        add(open.getOrDefault(declared, declared));
      }
    }
  }

  /**
   * Returns the public methods as {@code getMethods()} does. Java parses their annotations
   * separately from those of the declared methods, though they are the same, and other code asks
   * for these.
   */
  private Map<Method, Method> open(Class<?> type) {
    Map<Method, Method> open = new HashMap<>();
    try {
      for (Method each : type.getMethods()) {
        open.put(each, each);
      }
    } catch (LinkageError absent) {
      missing = Optional.of(absent);
    }
    return open;
  }

  private Method[] declared(Class<?> type) {
    try {
      return type.getDeclaredMethods();
    } catch (LinkageError absent) {
      missing = Optional.of(absent);
      return new Method[0];
    }
  }

  /** Returns why some methods can't be read; empty if all could be read. */
  public Optional<LinkageError> missing() {
    return missing;
  }

  private void add(Method method) {
    methods.add(method);
    named.computeIfAbsent(method.getName(), any -> new ArrayList<>(1)).add(method);
  }

  private void bind(Class<?> type) {
    try {
      bind(type.getGenericSuperclass());
      for (Type each : type.getGenericInterfaces()) {
        bind(each);
      }
    } catch (TypeNotPresentException | LinkageError absent) {
      // An argument of a generic type is missing, so the variable keeps its bound.
    }
  }

  private void bind(@Nullable Type parent) {
    if (parent instanceof ParameterizedType generic
        && generic.getRawType() instanceof Class<?> raw) {
      for (int index = 0; index < raw.getTypeParameters().length; index++) {
        bindings.putIfAbsent(
            raw.getTypeParameters()[index], generic.getActualTypeArguments()[index]);
      }
    }
  }

  /** Returns the class, its superclasses, then all interfaces, the nearest first. */
  public List<Class<?>> ancestors() {
    return List.copyOf(ancestors);
  }

  /**
   * Returns the methods of the class, then those of its ancestors that it doesn't override; without
   * synthetic and static ones.
   */
  public List<Method> methods() {
    List<Method> found = new ArrayList<>(methods.size());
    for (Method each : methods) {
      boolean callable = !each.isSynthetic() && !Modifier.isStatic(each.getModifiers());
      if (callable && declarations(each).get(0).equals(each)) {
        found.add(each);
      }
    }
    return found;
  }

  /**
   * Returns a method's declarations in the class and its ancestors.
   *
   * @param method any of the method's declarations, or a bridge to one
   * @return the one that runs, then those that it overrides in superclasses, then those that it
   *     implements
   */
  public List<Method> declarations(Method method) {
    Method called = unbridged(method);
    if (named.getOrDefault(called.getName(), List.of()).equals(List.of(called))) {
      return List.of(called);
    }
    List<Class<?>> wanted = parameters(called);
    List<Method> found = new ArrayList<>();
    for (Method each : named.getOrDefault(called.getName(), List.of())) {
      if (each.equals(called) || overrides(each, called, wanted)) {
        found.add(each);
      }
    }
    return found.isEmpty() ? List.of(called) : List.copyOf(found);
  }

  private boolean overrides(Method each, Method called, List<Class<?>> wanted) {
    return !each.isBridge()
        && isVirtual(each)
        && isVirtual(called)
        && isVisible(each, called)
        && parameters(each).equals(wanted);
  }

  private static boolean isVirtual(Method method) {
    return !Modifier.isStatic(method.getModifiers()) && !Modifier.isPrivate(method.getModifiers());
  }

  /** Methods without a modifier override each other only within one package. */
  private static boolean isVisible(Method one, Method other) {
    int open = Modifier.PUBLIC | Modifier.PROTECTED;
    return (one.getModifiers() & other.getModifiers() & open) != 0
        || (one.getModifiers() & open) != 0 && (other.getModifiers() & open) != 0
        || one.getDeclaringClass()
            .getPackageName()
            .equals(other.getDeclaringClass().getPackageName());
  }

  /** Returns the method that the compiler's bridge leads to. */
  private Method unbridged(Method method) {
    if (!method.isBridge()) {
      return method;
    }
    for (Method each : declared(method.getDeclaringClass())) {
      if (!each.isBridge() && each.getName().equals(method.getName()) && accepts(method, each)) {
        return each;
      }
    }
    return method;
  }

  private static boolean accepts(Method bridge, Method target) {
    Class<?>[] wide = bridge.getParameterTypes();
    Class<?>[] narrow = target.getParameterTypes();
    boolean accepts =
        wide.length == narrow.length
            && bridge.getReturnType().isAssignableFrom(target.getReturnType());
    for (int index = 0; accepts && index < wide.length; index++) {
      accepts = wide[index].isAssignableFrom(narrow[index]);
    }
    return accepts;
  }

  private List<Class<?>> parameters(Method method) {
    try {
      List<Class<?>> erased = new ArrayList<>();
      for (Type type : method.getGenericParameterTypes()) {
        erased.add(erase(type));
      }
      return erased;
    } catch (TypeNotPresentException | LinkageError absent) {
      return List.of(method.getParameterTypes());
    }
  }

  private Class<?> erase(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType generic) {
      return erase(generic.getRawType());
    }
    if (type instanceof GenericArrayType array) {
      return erase(array.getGenericComponentType()).arrayType();
    }
    if (type instanceof WildcardType wildcard) {
      return erase(wildcard.getUpperBounds()[0]);
    }
    return eraseVariable((TypeVariable<?>) type);
  }

  private Class<?> eraseVariable(TypeVariable<?> variable) {
    Set<Type> seen = new HashSet<>();
    Type meant = variable;
    // An inner class may extend its outer one with the variables swapped, which is a circle.
    while (meant instanceof TypeVariable<?> next && seen.add(next)) {
      meant = bindings.getOrDefault(next, next.getBounds()[0]);
    }
    return meant instanceof TypeVariable<?> ? Object.class : erase(meant);
  }
}
