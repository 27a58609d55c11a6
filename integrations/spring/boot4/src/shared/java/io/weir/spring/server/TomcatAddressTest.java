package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.catalina.Valve;
import org.apache.catalina.valves.RemoteIpValve;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Servlets on Tomcat. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class TomcatAddressTest extends ServletAddressContract {
  static final Class<?> FACTORY =
      AddressServer.type(
              "org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory",
              "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory")
          .orElseThrow();

  /** A valve of the application's own, which stands before those of all customizers. */
  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class WithValve implements BeanPostProcessor {
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
      if (FACTORY.isInstance(bean)) {
        Valve[] valves = {new RemoteIpValve()};
        ReflectionUtils.invokeMethod(
            ClassUtils.getMethod(FACTORY, "addEngineValves", Valve[].class), bean, (Object) valves);
      }
      return bean;
    }
  }

  @Override
  Class<?> factory() {
    return FACTORY;
  }

  /** Settings of Spring Boot for Tomcat alone, which turn the strategy on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.tomcat.remoteip.remote-ip-header=X-Forwarded-For",
        "server.tomcat.remoteip.internal-proxies=.*"
      })
  void tomcatsOwnSettingsChangeNothing(String property) throws IOException {
    try (AddressServer server =
        start(
            property.contains("proxies") ? "native" : "",
            false,
            property,
            "server.tomcat.remoteip.protocol-header=X-Forwarded-Proto")) {
      for (String path : limited()) {
        requireConnectionsAddress(server, path);
        requireProxysCallers(server, path);
      }
    }
  }

  @Test
  void aValveOfTheApplicationChangesNothing() throws IOException {
    try (AddressServer server =
        AddressServer.start(type(), factory(), WithValve.class, List.of())) {
      requireConnectionsAddress(server, "/mvc");
      requireProxysCallers(server, "/mvc");
    }
  }

  @Test
  void theManagementPortReadsTheConnectionToo() throws IOException {
    try (AddressServer server =
        start("", true, "management.server.port=0", "weir.test.managed=true")) {
      assertEquals(
          AddressServer.CALLER,
          AddressServer.get(
                  AddressServer.CALLER,
                  server.port("local.management.port"),
                  "/peer",
                  "X-Forwarded-For: 203.0.113.1")
              .location());
    }
  }
}
