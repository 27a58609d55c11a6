package io.weir.spring.web;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;

/** Dispatches of Spring MVC on an embedded Jetty. */
@OneDayIn(2)
@RunOneIn(2)
class JettyMvcDispatchTest extends MvcDispatchContract {
  @Override
  Class<?> factory() {
    return MvcServers.jetty().orElseThrow();
  }
}
