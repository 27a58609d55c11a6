package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.annotation.RateLimit;
import jakarta.enterprise.lang.model.AnnotationInfo;
import jakarta.enterprise.lang.model.AnnotationTarget;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A class that mentions a missing one, as an optional library's, doesn't fail the start. */
class UnreadableClassTest {
  @Test
  void aClassThatCantBeReadHasNoLimits() {
    ClassInfo type =
        proxy(
            ClassInfo.class,
            method ->
                switch (method) {
                  case "name" -> "com.example.Pool";
                  case "annotations" -> List.of();
                  case "superClassDeclaration" -> null;
                  default -> throw new NoClassDefFoundError("com/example/Missing");
                });

    assertFalse(LimitedClass.mayLimit(type, new HashMap<>()));
  }

  @Test
  void anAnnotationThatCantBeReadHidesNoLimit() {
    AnnotationInfo missing = annotation("com.example.Missing");
    AnnotationInfo limit = annotation(RateLimit.class.getName());
    AnnotationTarget element =
        proxy(
            AnnotationTarget.class,
            method -> method.equals("annotations") ? List.of(missing, limit) : null);

    assertEquals(Marks.LIMIT, Marks.of(element));
  }

  private static AnnotationInfo annotation(String name) {
    return proxy(
        AnnotationInfo.class,
        method -> {
          if (method.equals("name")) {
            return name;
          }
          throw new IllegalStateException("not in the index");
        });
  }

  private static <T> T proxy(Class<T> type, Function<String, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.apply(method.getName())));
  }
}
