package io.weir.compat.jersey31;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Checks that {@link GrizzlyTest} really runs without the servlet API. */
class WithoutServletsTest {
  @Test
  void theServletApiIsNotOnTheClassPath() {
    assertThrows(ClassNotFoundException.class, () -> Class.forName("jakarta.servlet.Servlet"));
  }
}
