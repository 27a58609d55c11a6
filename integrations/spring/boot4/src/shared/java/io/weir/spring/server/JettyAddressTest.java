package io.weir.spring.server;

import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.provider.Arguments;

/** Servlets on Jetty. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class JettyAddressTest extends ServletAddressContract {
  static Stream<Arguments> table() {
    return today();
  }

  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory",
            "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory")
        .orElseThrow();
  }
}
