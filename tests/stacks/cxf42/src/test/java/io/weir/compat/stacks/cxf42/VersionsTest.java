package io.weir.compat.stacks.cxf42;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;
import java.util.Map;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("org.apache.cxf:cxf-parent");
  }

  @Override
  protected Map<String, String> exceptions() {
    return Map.of("org.jspecify:jspecify", "Weir's own annotations, which CXF doesn't load");
  }
}
