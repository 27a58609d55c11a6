package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.test.architecture.Circles;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Classes of a package depend on each other in one direction, but for the circles named here. */
class CirclesOfClassesTest {
  /** Each circle, and the reason why it stays. */
  private static final Map<String, String> KEPT =
      Map.of(
          "io.weir.internal.application: WeirRegistry, WeirRuntime",
          "a Weir registers itself under its class loader, and the registry closes it");

  @Test
  void noClassesDependOnEachOtherInACircleUnlessItIsNamed() {
    assertEquals(new TreeMap<>(KEPT).keySet().stream().toList(), Circles.inModuleOf(Weir.class));
  }
}
