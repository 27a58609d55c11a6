package io.weir.spring.server;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.provider.Arguments;

/**
 * WebFlux on Undertow, which Spring Boot 4 doesn't have. {@link NettyAddressTest} has the whole
 * table in every build.
 */
@EnabledIf("io.weir.spring.server.AddressServer#hasUndertow")
@OneDayIn(3)
class ReactiveUndertowAddressTest extends OtherReactiveContract {
  static Stream<Arguments> table() {
    return Seeds.today(OtherReactiveContract.table().toList(), 2).stream();
  }

  @Override
  Class<?> factory() {
    return AddressServer.type(
            "org.springframework.boot.web.embedded.undertow.UndertowReactiveWebServerFactory")
        .orElseThrow();
  }
}
