package io.weir.spring.web;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Spring MVC on an embedded Jetty. {@link TomcatMvcTest} runs the whole contract in every build.
 */
@OneDayIn(3)
@RunOneIn(2)
class JettyMvcTest extends MvcContract {
  private static MvcServer server;

  @BeforeAll
  static void start() {
    server =
        MvcServer.start(
            MvcServers.jetty().orElseThrow(),
            List.of(MvcApplication.class, MvcBodies.class, OpenSecurity.class),
            ACCESS);
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
