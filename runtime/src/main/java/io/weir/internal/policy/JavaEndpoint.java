package io.weir.internal.policy;

import io.weir.adapter.EndpointType;
import io.weir.internal.key.ReadablePlaces;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.ClassHierarchy;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
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
 * Identifies an endpoint by the Java method that answers its requests, or by the class as a whole.
 *
 * <p>Immutable.
 */
record JavaEndpoint(Class<?> type, Optional<Method> method, EndpointType site) {
  private static final int LONGEST_NAME = 64;
  private static final int HASH_DIGITS = 8;

  // Written out, since a record's own equals and hashCode are generated at run time. That costs a
  // few milliseconds at start-up, and each of a thousand endpoints is looked up several times.

  @Override
  public boolean equals(Object other) {
    return other instanceof JavaEndpoint that
        && type == that.type
        && method.equals(that.method)
        && site.equals(that.site);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode() + method.hashCode();
  }

  /**
   * Finds all endpoints of a class that carry annotations: its methods, even inherited ones, and
   * itself.
   */
  static void annotated(
      Class<?> type,
      ClassHierarchy signatures,
      EndpointType site,
      BiConsumer<JavaEndpoint, EndpointAnnotations> found) {
    EndpointAnnotations ofClass = EndpointAnnotations.of(signatures, Optional.empty());
    for (Method method : signatures.methods()) {
      EndpointAnnotations annotations = ofClass.at(signatures, method);
      if (annotations.ofMethod().isPresent()) {
        found.accept(new JavaEndpoint(type, Optional.of(method), site), annotations);
      }
    }
    if (ofClass.ofClass().isPresent()) {
      found.accept(new JavaEndpoint(type, Optional.empty(), site), ofClass);
    }
  }

  /** Returns whether its class belongs to an application, which its class loader identifies. */
  boolean isOf(ClassLoader application) {
    @Nullable ClassLoader loader = type.getClassLoader();
    while (loader != null && loader != application) {
      loader = loader.getParent();
    }
    return loader != null;
  }

  /**
   * Returns what its policies can use.
   *
   * @param atMethod whether they are written at a method, and not for all of a class or application
   */
  EndpointCapabilities scope(ApplicationCapabilities capabilities, boolean atMethod) {
    boolean oneMethod =
        atMethod && (!site.urlPatterns() || method.flatMap(this::httpMethod).isPresent());
    // A woven method may be a resource method that the request reaches a second time.
    return new EndpointCapabilities(
        capabilities,
        new ReadablePlaces(site.methodParameters(), site.pathParameters(), site.bodies()),
        oneMethod);
  }

  /**
   * Returns the HTTP method that leads here, if it is known before the first request. For a
   * servlet's method only if it has a policy of its own: that one is read at start-up too, so a
   * mistake can't fail a later request.
   */
  Optional<String> httpMethod(EndpointAnnotations annotations) {
    return method
        .filter(any -> !site.urlPatterns() || annotations.ofMethod().isPresent())
        .flatMap(this::httpMethod);
  }

  private Optional<String> httpMethod(Method answering) {
    return new ClassHierarchy(type)
        .declarations(answering).stream().flatMap(each -> read(each).stream()).findFirst();
  }

  @SuppressWarnings("ConstantValue") // an adapter's code may return null
  private Optional<String> read(Method declaration) {
    Optional<String> read;
    try {
      read = site.httpMethod().read(declaration);
    } catch (RuntimeException | LinkageError failure) {
      throw new IllegalStateException(unreadable(declaration, "fails"), failure);
    }
    if (read == null) {
      throw new IllegalStateException(unreadable(declaration, "returns null"));
    }
    return read;
  }

  private String unreadable(Method declaration, String mistake) {
    return "The httpMethod of the EndpointType "
        + site.id()
        + " "
        + mistake
        + " for "
        + declaration
        + ". It must return an HTTP method, or Optional.empty() if the method names none. Correct the"
        + " adapter that uses this EndpointType.";
  }

  /** Returns the class and method as messages name them. */
  String place() {
    return method.map(each -> LimitedElement.place(type, each)).orElse(type.getName());
  }

  /** Returns the short names of class and method. */
  String label() {
    String simple = LimitedElement.name(type);
    return method.map(each -> simple + "#" + each.getName()).orElse(simple);
  }

  /**
   * Returns the name of the policy that {@code weir.default.*} makes for this endpoint: class and
   * method, and a hash of everything that distinguishes it. It depends on nothing else, so it is
   * the same on all nodes and after each start.
   */
  String defaultName() {
    Class<?> written = sourceClass(type);
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
   * Returns the class in the source. Containers may wrap it in a generated class, whose name can
   * change with each start.
   */
  private static Class<?> sourceClass(Class<?> type) {
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
