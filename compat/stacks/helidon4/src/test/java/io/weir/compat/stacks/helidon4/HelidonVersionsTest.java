package io.weir.compat.stacks.helidon4;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.stack.PlatformVersions;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelidonVersionsTest {
  @Test
  void areThePlatforms() throws IOException {
    assertEquals(
        List.of(), PlatformVersions.differences("io.helidon", "helidon-dependencies", "4.4.0"));
  }
}
