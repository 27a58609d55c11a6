package io.weir.spring.web;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * Dispatches of Spring MVC on an embedded Undertow, which Spring Boot 4 doesn't support. {@link
 * TomcatMvcDispatchTest} runs the whole contract in every build.
 */
@EnabledIf("isSupported")
@OneDayIn(3)
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
