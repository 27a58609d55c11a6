package io.weir.compat.stacks.spring;

import io.weir.compat.stack.PlatformVersions;
import java.util.List;

class VersionsTest extends PlatformVersions {
  @Override
  protected List<String> platforms() {
    // Netty is older than Spring Boot's, whose native code isn't in the repository.
    return List.of("io.netty:netty-bom", "org.springframework.boot:spring-boot-dependencies");
  }
}
