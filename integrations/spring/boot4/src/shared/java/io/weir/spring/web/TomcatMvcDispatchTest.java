package io.weir.spring.web;

/** Dispatches of Spring MVC on an embedded Tomcat. */
class TomcatMvcDispatchTest extends MvcDispatchContract {
  @Override
  Class<?> factory() {
    return MvcServers.tomcat().orElseThrow();
  }
}
