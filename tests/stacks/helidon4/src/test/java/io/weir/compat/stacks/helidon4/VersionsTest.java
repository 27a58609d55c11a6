package io.weir.compat.stacks.helidon4;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;
import java.util.Map;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("io.helidon:helidon-dependencies");
  }

  @Override
  protected Map<String, String> exceptions() {
    return Map.of(
        "com.google.errorprone:error_prone_annotations", "Caffeine brings a newer one than the BOM");
  }
}
