package io.weir.compat.stacks.spring;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    return List.of("org.springframework.boot:spring-boot-dependencies");
  }
}
