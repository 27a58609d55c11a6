package io.weir.policy;

import io.weir.policy.draft.Annotated;
import io.weir.policy.draft.KeyForms;
import io.weir.policy.draft.Signatures;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

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
        boolean candidate = !method.isSynthetic() && !Modifier.isStatic(method.getModifiers());
        if (candidate
            && Signatures.declarations(type, method).get(0).equals(method)
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

  /** What holds for the method, else for the class. */
  Optional<Annotated> annotations() {
    return ofMethod().or(this::ofClass);
  }

  Optional<Annotated> ofMethod() {
    return method.flatMap(each -> Annotated.method(type, each));
  }

  Optional<Annotated> ofClass() {
    return Annotated.type(type);
  }

  KeyForms keys(Set<String> resolvers) {
    // A woven method may be a resource method, called a second time in a request.
    return new KeyForms(resolvers, site == Site.METHOD, site != Site.SERVLET);
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
        : String.format(
            Locale.ROOT, "%s-%08x", name.substring(0, LONGEST_NAME - 9), name.hashCode());
  }
}
