package io.weir.internal.policy.draft;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Determines the HTTP method that a Java method answers, by its name or annotation. */
public final class HttpMethodFinder {
  /** The name of a class that is missing in an application with servlets only. */
  private static final String DESIGNATOR = "jakarta.ws.rs.HttpMethod";

  private HttpMethodFinder() {}

  /**
   * Returns the HTTP method of a resource method: {@code POST} of {@code @POST}.
   *
   * @param type the class that serves
   * @return the first that is found at the method or one that it overrides
   */
  public static Optional<String> ofResource(Class<?> type, Method method) {
    return new ClassHierarchy(type)
        .declarations(method).stream()
            .flatMap(each -> Arrays.stream(each.getDeclaredAnnotations()))
            .flatMap(each -> Arrays.stream(each.annotationType().getAnnotations()))
            .filter(each -> each.annotationType().getName().equals(DESIGNATOR))
            .flatMap(HttpMethodFinder::value)
            .findFirst();
  }

  private static Stream<String> value(Annotation designator) {
    try {
      Method value = designator.annotationType().getMethod("value");
      return Stream.of(String.valueOf(value.invoke(designator)));
    } catch (ReflectiveOperationException unlikeItsApi) {
      return Stream.empty();
    }
  }

  /**
   * Returns the HTTP method in the name of a servlet's method: {@code POST} of {@code doPost};
   * empty for {@code service}.
   */
  public static Optional<String> ofServlet(Method method) {
    return Optional.of(method.getName())
        .filter(name -> name.matches("do[A-Z][a-z]+"))
        .map(name -> name.substring(2).toUpperCase(Locale.ROOT));
  }
}
