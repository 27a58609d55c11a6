package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.PeerAddress;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Embedded servers that Weir doesn't know, and so may take a caller's word for its address. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class UnknownServerTest {
  private static final Class<?> FACTORY =
      AddressServer.type(
              "org.springframework.boot.web.server.servlet.ServletWebServerFactory",
              "org.springframework.boot.web.servlet.server.ServletWebServerFactory")
          .orElseThrow();

  /** Adds a Tomcat that no customizer recognizes. */
  private static <T> void addTo(GenericApplicationContext context, Class<T> type) {
    context.registerBean(
        "server",
        type,
        () ->
            type.cast(
                Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, onTomcat(tomcat()))));
  }

  private static AbstractConfigurableWebServerFactory tomcat() {
    Object tomcat = BeanUtils.instantiateClass(TomcatAddressTest.FACTORY);
    AbstractConfigurableWebServerFactory factory = (AbstractConfigurableWebServerFactory) tomcat;
    factory.setPort(0);
    return factory;
  }

  private static InvocationHandler onTomcat(Object tomcat) {
    return (proxy, method, arguments) -> {
      try {
        return method.invoke(tomcat, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
    };
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenToEverybody.class, ByAddress.class})
  static class Shop {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenToEverybody.class, ForEverybody.class})
  static class WithoutAddresses {}

  @Configuration(proxyBeanMethods = false)
  @Import(Shop.class)
  static class Believing {
    @Bean
    PeerAddress peer() {
      return request ->
          request instanceof HttpServletRequest http
              ? Optional.of(http.getRemoteAddr())
              : Optional.empty();
    }
  }

  @RestController
  static class ByAddress {
    @GetMapping("/mvc")
    @RateLimit(limit = 2, window = 3_600, name = "mvc")
    String two() {
      return "two";
    }
  }

  @RestController
  static class ForEverybody {
    @GetMapping("/mvc")
    @RateLimit(limit = 2, window = 3_600, by = By.ENDPOINT, name = "mvc")
    String two() {
      return "two";
    }
  }

  private static AddressServer start(Class<?> application, String property) {
    return AddressServer.start(
        WebApplicationType.SERVLET,
        application,
        context -> addTo(context, FACTORY),
        List.of(property));
  }

  @ParameterizedTest
  @CsvSource({
    "spring.main.cloud-platform=kubernetes, 'server.forward-headers-strategy (not set, so native on"
        + " KUBERNETES): '",
    "spring.main.cloud-platform=heroku, 'server.forward-headers-strategy (not set, so native on"
        + " HEROKU): '",
    "server.forward-headers-strategy=NATIVE, 'server.forward-headers-strategy = ''NATIVE'': '"
  })
  void stopTheStartWhereTheyAreToApplyForwardedFields(String property, String beginning) {
    Throwable refused =
        NestedExceptionUtils.getMostSpecificCause(
            assertThrows(RuntimeException.class, () -> start(Shop.class, property).close()));
    assertEquals(InvalidSettingException.class, refused.getClass());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith(beginning), message);
    assertTrue(message.contains("the server of "), message);
    assertTrue(message.contains("io.weir.spi.PeerAddress"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.forward-headers-strategy=none",
        "server.forward-headers-strategy=framework",
        "weir.headers=both"
      })
  void mayServeWhereTheyAreNot(String property) throws Exception {
    try (AddressServer server = start(Shop.class, property)) {
      AddressContract.requireConnectionsAddress(server, "/mvc");
    }
  }

  @Test
  void mayServeWhereNothingCountsByAddress() throws Exception {
    try (AddressServer server = start(WithoutAddresses.class, AddressContract.CLOUD)) {
      assertEquals(
          List.of(200, 200, 429), server.statuses(AddressServer.CALLER, "/mvc", "a", "b", "c"));
    }
  }

  @Test
  void mayServeWhereTheApplicationAnswersForTheAddress() throws Exception {
    try (AddressServer server = start(Believing.class, AddressContract.CLOUD)) {
      AddressContract.requireConnectionsAddress(server, "/mvc");
    }
  }
}
