package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("io.quarkus:quarkus-bom");
  }
}
