package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;

/** Servlets on Jetty. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class JettyAddressTest extends ServletAddressContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory",
            "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory")
        .orElseThrow();
  }
}
