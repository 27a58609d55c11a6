package io.weir.spring.web;

import java.util.List;
import java.util.Optional;
import org.springframework.util.ClassUtils;

/** Finds the embedded servers by the names that they have in one Spring Boot or the other. */
final class MvcServers {
  private MvcServers() {}

  static Optional<Class<?>> tomcat() {
    return first(
        "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory",
        "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory");
  }

  static Optional<Class<?>> jetty() {
    return first(
        "org.springframework.boot.jetty.servlet.JettyServletWebServerFactory",
        "org.springframework.boot.web.embedded.jetty.JettyServletWebServerFactory");
  }

  static Optional<Class<?>> undertow() {
    return first("org.springframework.boot.web.embedded.undertow.UndertowServletWebServerFactory");
  }

  private static Optional<Class<?>> first(String... names) {
    return List.of(names).stream()
        .filter(each -> ClassUtils.isPresent(each, null))
        .<Class<?>>map(each -> ClassUtils.resolveClassName(each, null))
        .findFirst();
  }
}
