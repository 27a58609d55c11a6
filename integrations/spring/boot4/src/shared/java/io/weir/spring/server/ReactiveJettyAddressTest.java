package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;

/** WebFlux on Jetty. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class ReactiveJettyAddressTest extends OtherReactiveContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.jetty.reactive.JettyReactiveWebServerFactory",
            "org.springframework.boot.web.embedded.jetty.JettyReactiveWebServerFactory")
        .orElseThrow();
  }
}
