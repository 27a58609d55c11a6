package io.weir.spring.web;

import org.junit.jupiter.api.condition.EnabledIf;

/** Dispatches of Spring MVC on an embedded Tomcat. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class TomcatMvcDispatchTest extends MvcDispatchContract {
  @Override
  Class<?> factory() {
    return MvcServers.tomcat().orElseThrow();
  }
}
