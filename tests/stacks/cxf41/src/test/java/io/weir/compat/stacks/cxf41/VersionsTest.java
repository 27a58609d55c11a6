package io.weir.compat.stacks.cxf41;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("org.apache.cxf:cxf-parent");
  }
}
