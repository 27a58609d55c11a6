package io.weir.compat.stacks.jetty;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("org.eclipse.jetty.ee11:jetty-ee11");
  }
}
