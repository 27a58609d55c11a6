package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;

/** Servlets on Undertow, which Spring Boot 4 doesn't have. */
@EnabledIf("io.weir.spring.server.AddressServer#hasUndertow")
class UndertowAddressTest extends ServletAddressContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory")
        .orElseThrow();
  }
}
