package io.weir.spring.server;

import io.weir.seeds.OneDayIn;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.provider.Arguments;

/** Servlets on Undertow, which Spring Boot 4 doesn't have. */
@EnabledIf("io.weir.spring.server.AddressServer#hasUndertow")
@OneDayIn(2)
class UndertowAddressTest extends ServletAddressContract {
  static Stream<Arguments> table() {
    return today();
  }

  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory")
        .orElseThrow();
  }
}
