package io.weir.spring.server;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;

/** WebFlux on Reactor Netty, with all strategies in every build. */
class NettyAddressTest extends ReactiveAddressContract {
  @Override
  Class<?> factory() {
    return NettyReactiveWebServerFactory.class;
  }
}
