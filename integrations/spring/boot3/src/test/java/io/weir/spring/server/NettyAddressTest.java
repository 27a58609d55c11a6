package io.weir.spring.server;

import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;

/** WebFlux on Reactor Netty. Spring Boot 4 has it in every build. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class NettyAddressTest extends ReactiveAddressContract {
  @Override
  Class<?> factory() {
    return NettyReactiveWebServerFactory.class;
  }
}
