package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Checks that each module weaves at compile time or at load time, as its name says. */
class WeavingTest {
  @Test
  void classFilesNameTheAspectOnlyWhereTheyAreWovenAtCompileTime() throws IOException {
    assertEquals(atCompileTime(), classFile().contains("io/weir/aspectj/RateLimitAspect"));
  }

  @Test
  void theCheckFindsWovenMethodsAndClasses() {
    try (Weir weir = Weir.builder().build()) {
      weir.checkWoven(Methods.class, Shop.class, OnlyInherits.class, Letters.class);
    }
  }

  /** Has the limit of its superclass, and no code. */
  static final class OnlyInherits extends Shop {}

  static boolean atCompileTime() {
    return System.getProperty("woven.at").equals("compile");
  }

  private static String classFile() throws IOException {
    try (InputStream in = Methods.class.getResourceAsStream("Methods.class")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
  }
}
