package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;

/** WebFlux on Reactor Netty, with all strategies: this or that of Spring Boot 4 in every build. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class NettyAddressTest extends ReactiveAddressContract {
  @Override
  Class<?> factory() {
    return NettyReactiveWebServerFactory.class;
  }
}
