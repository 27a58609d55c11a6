package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;

/** WebFlux on Undertow, which Spring Boot 4 doesn't have. */
@EnabledIf("io.weir.spring.server.AddressServer#hasUndertow")
class ReactiveUndertowAddressTest extends OtherReactiveContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.web.embedded.undertow.UndertowReactiveWebServerFactory")
        .orElseThrow();
  }
}
