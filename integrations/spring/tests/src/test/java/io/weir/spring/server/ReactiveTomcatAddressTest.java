package io.weir.spring.server;

/** WebFlux on Tomcat. */
class ReactiveTomcatAddressTest extends OtherReactiveContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory",
            "org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory")
        .orElseThrow();
  }
}
