package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CirclesTest {
  @Test
  void findsClassesThatLeadBackToEachOther() {
    String here = CirclesTest.class.getPackageName();
    assertEquals(
        List.of(here + ".circle: First, Second, Third", here + ".circle: Left, Right"),
        Circles.inModuleOf(CirclesTest.class));
  }

  @Test
  void aDirectoryWithoutClassesIsRefused(@TempDir Path empty) {
    assertThrows(IllegalArgumentException.class, () -> Circles.in(empty));
  }
}
