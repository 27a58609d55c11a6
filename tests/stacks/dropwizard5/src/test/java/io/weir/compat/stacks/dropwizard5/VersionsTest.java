package io.weir.compat.stacks.dropwizard5;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("io.dropwizard:dropwizard-dependencies");
  }
}
