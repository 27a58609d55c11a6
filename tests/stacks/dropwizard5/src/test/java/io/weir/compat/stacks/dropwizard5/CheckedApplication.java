package io.weir.compat.stacks.dropwizard5;

import io.dropwizard.core.Application;
import io.dropwizard.core.Configuration;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.server.Server;

/** The application as Dropwizard's command {@code server} starts it. */
final class CheckedApplication extends Application<Configuration> {
  private static final String CONFIGURATION =
      """
      server:
        type: simple
        applicationContextPath: /
        adminContextPath: /admin
        connector:
          type: http
          bindHost: 127.0.0.1
          port: %s
      logging:
        level: WARN
      """;

  private final int port;
  private Server server = new Server();

  private CheckedApplication(int port) {
    this.port = port;
  }

  public static void main(String[] args) throws IOException {
    StackMain.run(CheckedApplication::start);
  }

  private static AutoCloseable start(int port) throws Exception {
    CheckedApplication application = new CheckedApplication(port);
    application.run("server", "configuration");
    return () -> application.server.stop();
  }

  @Override
  public void initialize(Bootstrap<Configuration> bootstrap) {
    String text = CONFIGURATION.replace("%s", Integer.toString(port));
    bootstrap.setConfigurationSourceProvider(
        path -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void run(Configuration configuration, Environment environment) {
    CheckedResources.classes().forEach(environment.jersey()::register);
    environment.jersey().register(RateLimitFeature.class);
    environment.lifecycle().addServerLifecycleListener(started -> server = started);
  }
}
