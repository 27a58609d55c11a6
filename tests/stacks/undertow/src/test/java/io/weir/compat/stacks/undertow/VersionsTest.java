package io.weir.compat.stacks.undertow;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;
import java.util.Map;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("io.undertow:undertow-parent");
  }

  @Override
  protected Map<String, String> exceptions() {
    return Map.of(
        "org.wildfly.common:wildfly-common",
        "no library of Undertow names it: XNIO brings its own");
  }
}
