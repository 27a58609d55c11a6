package io.weir.compat.jersey40;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Sees to it that {@link GrizzlyTest} shows what it is meant to show. */
class WithoutServletsTest {
  @Test
  void theServletApiIsNotOnTheClassPath() {
    assertThrows(ClassNotFoundException.class, () -> Class.forName("jakarta.servlet.Servlet"));
  }
}
