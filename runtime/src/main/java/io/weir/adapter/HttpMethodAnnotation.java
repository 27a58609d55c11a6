package io.weir.adapter;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the HTTP method of a resource method of JAX-RS: {@code POST} of {@code @POST}. */
final class HttpMethodAnnotation {
  /** The name of a class that is missing in an application with servlets only. */
  private static final String DESIGNATOR = "jakarta.ws.rs.HttpMethod";

  private HttpMethodAnnotation() {}

  static Optional<String> read(Method declaration) {
    return Arrays.stream(declaration.getDeclaredAnnotations())
        .flatMap(each -> Arrays.stream(each.annotationType().getAnnotations()))
        .filter(each -> each.annotationType().getName().equals(DESIGNATOR))
        .flatMap(HttpMethodAnnotation::value)
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
}
