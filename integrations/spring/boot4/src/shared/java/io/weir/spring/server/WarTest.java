package io.weir.spring.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.RemoteIpValve;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.core.NestedExceptionUtils;

/** Applications that a container starts, with parts of its own that take a caller's word. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WarTest {
  private static final String CLOUD = AddressContract.CLOUD;

  /** Keeps how the start of the application has failed. */
  static final class War extends SpringBootServletInitializer
      implements ServletContainerInitializer {
    private final Class<?> application;
    private @Nullable Throwable failure;

    War(Class<?> application) {
      this.application = application;
    }

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
      return builder.sources(application).properties(AddressServer.properties(List.of(CLOUD)));
    }

    @Override
    public void onStartup(Set<Class<?>> classes, ServletContext context) throws ServletException {
      try {
        onStartup(context);
      } catch (RuntimeException failed) {
        failure = NestedExceptionUtils.getMostSpecificCause(failed);
        throw new ServletException(failed); // ends the start of the application alone
      }
    }

    void requireRefusal(String part) {
      Throwable refused = failure == null ? new IllegalStateException("started") : failure;
      assertEquals(InvalidSettingException.class, refused.getClass(), refused::toString);
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.startsWith("the servlet container: " + part), message);
      assertTrue(message.contains("io.weir.spi.PeerAddress"), message);
    }
  }

  private static War onTomcat(Path directory, Class<?> application, String at) throws Exception {
    War war = new War(application);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("", directory.toString());
    context.addServletContainerInitializer(war, Set.of());
    switch (at) {
      case "engine" -> tomcat.getEngine().getPipeline().addValve(new RemoteIpValve());
      case "host" -> tomcat.getHost().getPipeline().addValve(new RemoteIpValve());
      case "context" -> context.getPipeline().addValve(new RemoteIpValve());
      default -> {}
    }
    try {
      tomcat.start();
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
    return war;
  }

  @ParameterizedTest
  @ValueSource(strings = {"engine", "host", "context"})
  void areRefusedBehindTomcatsValve(String at, @TempDir Path directory) throws Exception {
    onTomcat(directory, UnknownServerTest.Shop.class, at)
        .requireRefusal("org.apache.catalina.valves.RemoteIpValve");
  }

  @Test
  void startOnTomcatWithoutIt(@TempDir Path directory) throws Exception {
    assertNull(onTomcat(directory, UnknownServerTest.Shop.class, "nowhere").failure);
  }

  @Test
  void startBehindItIfTheApplicationAnswersForTheAddress(@TempDir Path directory) throws Exception {
    assertNull(onTomcat(directory, UnknownServerTest.Believing.class, "host").failure);
    assertNull(onTomcat(directory, UnknownServerTest.WithoutAddresses.class, "host").failure);
  }

  private static War onJetty(boolean forwarded) throws Exception {
    War war = new War(UnknownServerTest.Shop.class);
    HttpConfiguration configuration = new HttpConfiguration();
    if (forwarded) {
      configuration.addCustomizer(new ForwardedRequestCustomizer());
    }
    Server server = new Server();
    server.addConnector(new ServerConnector(server, new HttpConnectionFactory(configuration)));
    Class<?> type =
        AddressServer.type(
                "org.eclipse.jetty.ee11.servlet.ServletContextHandler",
                "org.eclipse.jetty.ee10.servlet.ServletContextHandler")
            .orElseThrow();
    Object context = type.getConstructor().newInstance();
    type.getMethod(
            "addServletContainerInitializer", ServletContainerInitializer.class, Class[].class)
        .invoke(context, war, new Class<?>[0]);
    server.setHandler((Handler) context);
    try {
      server.start();
    } catch (ServletException refused) {
      assertNotNull(war.failure);
    } finally {
      server.stop();
    }
    return war;
  }

  @Test
  void areRefusedBehindJettysCustomizer() throws Exception {
    onJetty(true).requireRefusal("org.eclipse.jetty.server.ForwardedRequestCustomizer");
    assertNull(onJetty(false).failure);
  }
}
