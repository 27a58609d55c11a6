package io.weir.spring.server;

/** WebFlux on Jetty. */
class ReactiveJettyAddressTest extends OtherReactiveContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.jetty.reactive.JettyReactiveWebServerFactory",
            "org.springframework.boot.web.embedded.jetty.JettyReactiveWebServerFactory")
        .orElseThrow();
  }
}
