package io.weir.spring.web;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** Spring MVC on an embedded Tomcat. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class TomcatMvcTest extends MvcContract {
  private static MvcServer server;

  @BeforeAll
  static void start() {
    server =
        MvcServer.start(List.of(MvcApplication.class, MvcBodies.class, OpenSecurity.class), ACCESS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public MvcServer server() {
    return server;
  }
}
