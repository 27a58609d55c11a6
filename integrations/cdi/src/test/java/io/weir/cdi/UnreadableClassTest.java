package io.weir.cdi;

import static org.junit.jupiter.api.Assertions.assertFalse;

import jakarta.enterprise.lang.model.declarations.ClassInfo;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A class that mentions a missing one, as an optional library's, doesn't fail the start. */
class UnreadableClassTest {
  @Test
  void aClassThatCantBeReadHasNoLimits() {
    ClassInfo type =
        (ClassInfo)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ClassInfo.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "name" -> "com.example.Pool";
                      case "annotations" -> List.of();
                      case "superClassDeclaration" -> null;
                      default -> throw new NoClassDefFoundError("com/example/Missing");
                    });

    assertFalse(LimitedClass.mayLimit(type, new HashMap<>()));
  }
}
