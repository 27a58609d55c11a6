package io.weir.cdi;

import jakarta.enterprise.lang.model.AnnotationTarget;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.declarations.ParameterInfo;
import jakarta.enterprise.lang.model.types.Type;
import jakarta.interceptor.Interceptor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the methods of a class that limits may apply to, by the language model of CDI, which needs
 * no loaded class. Weir itself decides later which policies they have; here is every method whose
 * calls must be seen.
 *
 * <p>The limit of a class applies to its public methods, inherited ones included, but not to those
 * that the container calls or that every object has: {@code equals}, {@code hashCode}, {@code
 * toString}, setters, producers, disposers, initializers and callbacks of the life cycle. In a
 * JAX-RS resource it applies to endpoints only, and in a servlet or filter to no method, since the
 * servlet as a whole is limited.
 */
final class LimitedClass {
  private static final Logger LOG = System.getLogger("io.weir.cdi");

  /** Bridges, and what compilers add. */
  private static final int GENERATED = 0x1040;

  private final ClassInfo type;

  /** The class, its superclasses, then all interfaces, the nearest first, by their names. */
  private final Map<String, ClassInfo> ancestors = new LinkedHashMap<>();

  /** Methods as they are declared in all of these, in the order of these. */
  private final List<MethodInfo> declared = new ArrayList<>();

  LimitedClass(ClassInfo type) {
    this.type = type;
    for (@Nullable ClassInfo each = type; each != null; each = each.superClassDeclaration()) {
      ancestors.put(each.name(), each);
    }
    List<ClassInfo> level = List.copyOf(ancestors.values());
    while (!level.isEmpty()) {
      List<ClassInfo> next = new ArrayList<>();
      level.forEach(each -> next.addAll(each.superInterfacesDeclarations()));
      next.forEach(each -> ancestors.putIfAbsent(each.name(), each));
      level = next;
    }
    ancestors.keySet().removeIf(name -> name.startsWith("java."));
    ancestors.values().forEach(each -> declared.addAll(declaredIn(each)));
  }

  /**
   * Returns the methods of a class itself. A class is asked for its own alone: Weld can't read the
   * parameters of an inherited one that is overridden.
   */
  private static List<MethodInfo> declaredIn(ClassInfo type) {
    return type.methods().stream()
        .filter(each -> !isGenerated(each))
        .filter(each -> each.declaringClass().name().equals(type.name()))
        .toList();
  }

  /** Returns whether the compiler has added a method, such as a bridge to one of the same name. */
  static boolean isGenerated(MethodInfo method) {
    return (method.modifiers() & GENERATED) != 0;
  }

  /**
   * Returns whether a class, a superclass or an interface carries an annotation of Weir.
   *
   * @param known what is known of classes by their names; added to
   * @return false also if the class can't be read, since it mentions a class that is missing
   */
  static boolean mayLimit(ClassInfo type, Map<String, Boolean> known) {
    Boolean found = known.get(type.name());
    if (found == null) {
      found = !type.name().startsWith("java.") && carriesAny(type, known);
      known.put(type.name(), found);
    }
    return found;
  }

  private static boolean carriesAny(ClassInfo type, Map<String, Boolean> known) {
    try {
      @Nullable ClassInfo parent = type.superClassDeclaration();
      return Marks.of(type) != Marks.NONE
          || type.methods().stream().anyMatch(each -> Marks.of(each) != Marks.NONE)
          || parent != null && mayLimit(parent, known)
          || type.superInterfacesDeclarations().stream().anyMatch(each -> mayLimit(each, known));
    } catch (RuntimeException | LinkageError unreadable) {
      LOG.log(Level.DEBUG, () -> type.name() + " can't be read for limits", unreadable);
      return false;
    }
  }

  /**
   * Returns whether a class can be one of a bean: not an abstract one, nor one that runs around
   * beans.
   */
  static boolean mayBeBean(ClassInfo type) {
    return !type.isAbstract() && !runsAroundBeans(type);
  }

  /** Returns whether a class is an interceptor or a decorator. */
  static boolean runsAroundBeans(ClassInfo type) {
    return type.hasAnnotation(Interceptor.class)
        || type.hasAnnotation(each -> each.name().equals("jakarta.decorator.Decorator"));
  }

  ClassInfo type() {
    return type;
  }

  Collection<ClassInfo> ancestors() {
    return ancestors.values();
  }

  List<MethodInfo> declared() {
    return declared;
  }

  /**
   * Returns the declarations that carry a limit themselves, whether their calls can be seen or not.
   */
  List<MethodInfo> carriers() {
    return declared.stream().filter(each -> Marks.of(each) == Marks.LIMIT).toList();
  }

  /** Returns whether the class itself carries a limit, or a method that it declares. */
  boolean isAnnotated() {
    return Marks.of(type) == Marks.LIMIT
        || carriers().stream().anyMatch(each -> each.declaringClass().name().equals(type.name()));
  }

  /** Returns the methods that carry a limit, or inherit one from a method, each as it runs. */
  List<MethodInfo> limitedByMethod() {
    return running().filter(each -> first(declarations(each)) == Marks.LIMIT).toList();
  }

  /** Returns the methods that the limit of the class applies to, each as it runs. */
  List<MethodInfo> limitedByClass() {
    if (first(ancestors.values()) != Marks.LIMIT) {
      return List.of();
    }
    Predicate<MethodInfo> web = WebMethods.limitedByClass(this);
    return running()
        .filter(each -> Modifier.isPublic(each.modifiers()))
        .filter(each -> first(declarations(each)) == Marks.NONE)
        .filter(each -> web.test(each) && !ContainerMethods.isCalledByContainer(each))
        .toList();
  }

  /** Returns the methods of its objects that no other method overrides. */
  private Stream<MethodInfo> running() {
    return declared.stream()
        .filter(each -> isVirtual(each) && !each.isAbstract())
        .filter(each -> declarations(each).get(0) == each);
  }

  private static Marks first(Collection<? extends AnnotationTarget> elements) {
    return elements.stream()
        .map(Marks::of)
        .filter(each -> each != Marks.NONE)
        .findFirst()
        .orElse(Marks.NONE);
  }

  /** Returns a method with those that it overrides, implements or is overridden by, in order. */
  List<MethodInfo> declarations(MethodInfo method) {
    return declared.stream()
        .filter(each -> each == method || isVirtual(each) && isAlike(each, method))
        .toList();
  }

  private static boolean isVirtual(MethodInfo method) {
    return (method.modifiers() & (Modifier.STATIC | Modifier.PRIVATE)) == 0;
  }

  /** Returns whether one method may override the other. A variable stands for any type. */
  private static boolean isAlike(MethodInfo one, MethodInfo other) {
    List<ParameterInfo> left = one.parameters();
    List<ParameterInfo> right = other.parameters();
    return one.name().equals(other.name())
        && left.size() == right.size()
        && IntStream.range(0, left.size())
            .allMatch(index -> isAlike(left.get(index).type(), right.get(index).type()));
  }

  private static boolean isAlike(Type one, Type other) {
    return one.isTypeVariable()
        || other.isTypeVariable()
        || Erasure.of(one).equals(Erasure.of(other));
  }
}
