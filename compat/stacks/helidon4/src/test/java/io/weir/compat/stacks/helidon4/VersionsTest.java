package io.weir.compat.stacks.helidon4;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("io.helidon:helidon-dependencies");
  }
}
