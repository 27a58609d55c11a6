package io.weir.spring.web;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import org.junit.jupiter.api.condition.EnabledIf;

/** Dispatches of Spring MVC on an embedded Undertow, which Spring Boot 4 doesn't support. */
@EnabledIf("isSupported")
@OneDayIn(2)
@RunOneIn(2)
class UndertowMvcDispatchTest extends MvcDispatchContract {
  static boolean isSupported() {
    return MvcServers.undertow().isPresent();
  }

  @Override
  Class<?> factory() {
    return MvcServers.undertow().orElseThrow();
  }
}
