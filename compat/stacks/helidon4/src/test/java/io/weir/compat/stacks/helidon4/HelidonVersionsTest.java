package io.weir.compat.stacks.helidon4;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.stack.PlatformVersions;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelidonVersionsTest {
  /** Annotations alone, of which Weir's own cache wants a newer version than the platform has. */
  private static final String OURS = "com.google.errorprone:error_prone_annotations";

  @Test
  void areThePlatforms() throws IOException {
    List<String> differences =
        PlatformVersions.differences("io.helidon", "helidon-dependencies", "4.4.0");
    assertEquals(List.of(), differences.stream().filter(each -> !each.startsWith(OURS)).toList());
  }
}
