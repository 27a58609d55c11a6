package io.weir.spring.web;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Spring MVC on an embedded Undertow, which Spring Boot 4 doesn't support. {@link TomcatMvcTest}
 * runs the whole contract in every build.
 */
@EnabledIf("isSupported")
@OneDayIn(3)
@RunOneIn(2)
class UndertowMvcTest extends MvcContract {
  private static MvcServer server;

  static boolean isSupported() {
    return MvcServers.undertow().isPresent();
  }

  @BeforeAll
  static void start() {
    server =
        MvcServer.start(
            MvcServers.undertow().orElseThrow(),
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
