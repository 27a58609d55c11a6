package io.weir.spring.server;

/** Servlets on Jetty. */
class JettyAddressTest extends ServletAddressContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory",
            "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory")
        .orElseThrow();
  }
}
