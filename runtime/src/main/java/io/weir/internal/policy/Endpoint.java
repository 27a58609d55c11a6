package io.weir.internal.policy;

import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.ClassHierarchy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.HttpMethods;
import io.weir.internal.policy.draft.LimitedElement;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where requests are answered: a method, or a class as a whole.
 *
 * <p>Immutable.
 */
record Endpoint(Class<?> type, Optional<Method> method, EndpointKind site) {
  private static final int LONGEST_NAME = 64;
  private static final int HASH_DIGITS = 8;

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
  static void annotated(
      Class<?> type,
      ClassHierarchy signatures,
      EndpointKind site,
      BiConsumer<Endpoint, EndpointAnnotations> found) {
    EndpointAnnotations ofClass = EndpointAnnotations.of(signatures, Optional.empty());
    for (Method method : signatures.methods()) {
      EndpointAnnotations annotations = ofClass.at(signatures, method);
      if (annotations.ofMethod().isPresent()) {
        found.accept(new Endpoint(type, Optional.of(method), site), annotations);
      }
    }
    if (ofClass.ofClass().isPresent()) {
      found.accept(new Endpoint(type, Optional.empty(), site), ofClass);
    }
  }

  /** Whether its class belongs to an application, by the loader of the application's classes. */
  boolean isOf(ClassLoader application) {
    @Nullable ClassLoader loader = type.getClassLoader();
    while (loader != null && loader != application) {
      loader = loader.getParent();
    }
    return loader != null;
  }

  EndpointCapabilities scope(ApplicationCapabilities capabilities) {
    // A woven method may be a resource method, called a second time in a request.
    return new EndpointCapabilities(
        capabilities, site == EndpointKind.METHOD, site != EndpointKind.SERVLET);
  }

  /**
   * The method of HTTP that leads here, if it is known before the first request. Of servlets only
   * where a policy of its own is read at start-up too, since a mistake must not fail a request.
   *
   * @param annotations the endpoint's
   */
  Optional<String> httpMethod(EndpointAnnotations annotations) {
    return switch (site) {
      case JAXRS -> method.flatMap(each -> HttpMethods.ofResource(type, each));
      case SERVLET ->
          method.filter(any -> annotations.ofMethod().isPresent()).flatMap(HttpMethods::ofServlet);
      case METHOD -> Optional.empty();
    };
  }

  /** The class and method as messages name them. */
  String place() {
    return method.map(each -> LimitedElement.place(type, each)).orElse(type.getName());
  }

  /** The class and method as people name them. */
  String label() {
    String simple = LimitedElement.name(type);
    return method.map(each -> simple + "#" + each.getName()).orElse(simple);
  }

  /**
   * What the policy is called that {@code weir.default.*} makes for this endpoint: as class and
   * method, and a hash of all that tells it from others. It depends on nothing else, so that all
   * nodes call it the same, and after each start, whatever they have read before.
   */
  String defaultName() {
    Class<?> written = written(type);
    String simple = "default." + LimitedElement.name(written);
    String name =
        method.map(each -> simple + "." + LimitedElement.clean(each.getName())).orElse(simple);
    return name.substring(0, Math.min(name.length(), LONGEST_NAME - HASH_DIGITS - 1))
        + "-"
        + hash(site + " " + written.getName() + " " + signature());
  }

  private String signature() {
    return method
        .map(each -> each.getName() + Arrays.toString(each.getParameterTypes()))
        .orElse("");
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_DIGITS / 2);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible); // each Java has it
    }
  }

  /**
   * The class that somebody wrote: containers wrap it in one that they make, whose name may be
   * another one after each start.
   */
  private static Class<?> written(Class<?> type) {
    Class<?> written = type;
    while (written.isHidden() || written.getName().contains("$$")) {
      @Nullable Class<?> wrapped = written.getSuperclass();
      if (wrapped == null || wrapped == Object.class) {
        return type;
      }
      written = wrapped;
    }
    return written;
  }
}
