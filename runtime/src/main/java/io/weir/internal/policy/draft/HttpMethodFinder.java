package io.weir.internal.policy.draft;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Which HTTP method a Java method answers, as far as its name or annotation tells. */
public final class HttpMethodFinder {
  /** As text, since an application with servlets only doesn't have this class. */
  private static final String DESIGNATOR = "jakarta.ws.rs.HttpMethod";

  private HttpMethodFinder() {}

  /**
   * What a resource method's annotation says: {@code POST} of {@code @POST}.
   *
   * @param type the class that serves
   * @param method the method
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
   * What a servlet's method is named for: {@code POST} of {@code doPost}.
   *
   * @param method the method
   * @return nothing for {@code service} and its like
   */
  public static Optional<String> ofServlet(Method method) {
    return Optional.of(method.getName())
        .filter(name -> name.matches("do[A-Z][a-z]+"))
        .map(name -> name.substring(2).toUpperCase(Locale.ROOT));
  }
}
