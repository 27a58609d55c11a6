package io.weir.spring.web;

import io.weir.seeds.RunOneIn;

/** Dispatches of Spring MVC on an embedded Jetty. */
@RunOneIn(4)
class JettyMvcDispatchTest extends MvcDispatchContract {
  @Override
  Class<?> factory() {
    return MvcServers.jetty().orElseThrow();
  }
}
