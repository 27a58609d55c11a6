package io.weir.spring.server;

/** WebFlux on Reactor Netty. */
class NettyAddressTest extends ReactiveAddressContract {
  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory",
            "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory")
        .orElseThrow();
  }
}
