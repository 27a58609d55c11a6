package io.weir.policy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where requests are answered: a method, or a class as a whole.
 *
 * <p>Immutable.
 */
record Endpoint(Class<?> type, Optional<Method> method, Site site) {
  private static final int LONGEST_NAME = 64;

  /** All of a class that carry annotations: its methods, inherited ones included, and itself. */
  static List<Endpoint> annotated(Class<?> type, Site site) {
    List<Endpoint> found = new ArrayList<>();
    for (Class<?> each : Signatures.ancestors(type)) {
      for (Method method : each.getDeclaredMethods()) {
        Method runs = Signatures.declarations(type, method).get(0);
        if (runs.equals(method)
            && !method.isSynthetic()
            && !Modifier.isStatic(method.getModifiers())
            && Annotated.method(type, method).isPresent()) {
          found.add(new Endpoint(type, Optional.of(method), site));
        }
      }
    }
    if (Annotated.type(type).isPresent()) {
      found.add(new Endpoint(type, Optional.empty(), site));
    }
    return found;
  }

  Optional<Annotated> annotations() {
    return method.flatMap(each -> Annotated.method(type, each)).or(() -> Annotated.type(type));
  }

  /** The class and method as messages name them. */
  String place() {
    return method.map(each -> Annotated.place(type, each)).orElse(type.getName());
  }

  /** The class and method as people name them. */
  String label() {
    String simple = Annotated.name(type);
    return method.map(each -> simple + "#" + each.getName()).orElse(simple);
  }

  /** The name of the policy that {@code weir.default.*} makes for this endpoint. */
  String defaultName() {
    String simple = "default." + Annotated.name(type);
    String name = method.map(each -> simple + "." + Annotated.clean(each.getName())).orElse(simple);
    // Nobody can give it a shorter one, so it is cut and told apart by its hash.
    return name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, LONGEST_NAME - 9) + "-" + String.format("%08x", name.hashCode());
  }
}
