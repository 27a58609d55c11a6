package io.weir.compat.stacks.micronaut4;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of(
        "io.micronaut:micronaut-core-bom",
        "io.micronaut.security:micronaut-security-bom",
        "io.micronaut.serde:micronaut-serde-bom");
  }
}
