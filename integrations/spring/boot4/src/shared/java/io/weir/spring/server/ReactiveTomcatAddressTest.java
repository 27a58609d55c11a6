package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;

/** WebFlux on Tomcat. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class ReactiveTomcatAddressTest extends OtherReactiveContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory",
            "org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory")
        .orElseThrow();
  }
}
