package io.weir.policy;

import io.weir.policy.draft.Annotated;
import io.weir.policy.draft.Annotations;
import io.weir.policy.draft.HttpMethods;
import io.weir.policy.draft.Means;
import io.weir.policy.draft.Scope;
import io.weir.policy.draft.Signatures;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Where requests are answered: a method, or a class as a whole.
 *
 * <p>Immutable.
 */
record Endpoint(Class<?> type, Optional<Method> method, Site site) {
  private static final int LONGEST_NAME = 64;

  // By hand: what a record has of itself is put together at run time, a few milliseconds of each
  // start, and each of a thousand endpoints is looked up several times.

  @Override
  public boolean equals(Object other) {
    return other instanceof Endpoint that
        && type == that.type
        && method.equals(that.method)
        && site == that.site;
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + method.hashCode();
  }

  /** All of a class that carry annotations: its methods, inherited ones included, and itself. */
  static void annotated(Class<?> type, Site site, BiConsumer<Endpoint, Annotations> found) {
    Signatures signatures = new Signatures(type);
    Annotations ofClass = Annotations.of(signatures, Optional.empty());
    for (Method method : signatures.methods()) {
      Annotations annotations = ofClass.at(signatures, method);
      if (annotations.ofMethod().isPresent()) {
        found.accept(new Endpoint(type, Optional.of(method), site), annotations);
      }
    }
    if (ofClass.ofClass().isPresent()) {
      found.accept(new Endpoint(type, Optional.empty(), site), ofClass);
    }
  }

  Annotations annotations() {
    return Annotations.of(new Signatures(type), method);
  }

  Scope scope(Means means) {
    // A woven method may be a resource method, called a second time in a request.
    return new Scope(means, site == Site.METHOD, site != Site.SERVLET);
  }

  /**
   * The method of HTTP that leads here, if it is known before the first request. Of servlets only
   * where a policy of its own is read at start-up too, since a mistake must not fail a request.
   *
   * @param annotations the endpoint's
   */
  Optional<String> httpMethod(Annotations annotations) {
    return switch (site) {
      case JAXRS -> method.flatMap(each -> HttpMethods.ofResource(type, each));
      case SERVLET ->
          method.filter(any -> annotations.ofMethod().isPresent()).flatMap(HttpMethods::ofServlet);
      case METHOD -> Optional.empty();
    };
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

  /**
   * What the policy that {@code weir.default.*} makes for this endpoint may be called: as class and
   * method, unless that is too long; and with a hash of its own, where another has that name.
   */
  List<String> defaultNames() {
    String simple = "default." + Annotated.name(type);
    String name = method.map(each -> simple + "." + Annotated.clean(each.getName())).orElse(simple);
    String cut = name.substring(0, Math.min(name.length(), LONGEST_NAME - 9));
    // Nobody can give it a name of its own, so the hash of class and parameters tells it apart.
    String own = String.format(Locale.ROOT, "%s-%08x", cut, signature().hashCode());
    return name.length() <= LONGEST_NAME ? List.of(name, own) : List.of(own);
  }

  private String signature() {
    String parameters =
        method.map(each -> each.getName() + Arrays.toString(each.getParameterTypes())).orElse("");
    return site + " " + type.getName() + " " + parameters;
  }
}
