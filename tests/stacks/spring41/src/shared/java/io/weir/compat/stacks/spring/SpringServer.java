package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackMain;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts an application as its main method would, and makes sure that its server is the right one.
 */
final class SpringServer {
  private SpringServer() {}

  /**
   * Runs the application until the input ends.
   *
   * @param server what the class of the web server begins with, such as {@code Tomcat}
   * @param sources the application, and beans of a check
   */
  static void run(String server, Class<?>... sources) throws IOException {
    StackMain.run(
        port -> {
          ConfigurableApplicationContext context =
              new SpringApplication(sources).run("--server.port=" + port);
          String name = server(context);
          if (!name.startsWith(server)) {
            context.close();
            throw new IllegalStateException("runs on " + name);
          }
          return context;
        });
  }

  /** Boot 4 has moved the type that declares this method. */
  private static String server(ConfigurableApplicationContext context)
      throws ReflectiveOperationException {
    return context.getClass().getMethod("getWebServer").invoke(context).getClass().getSimpleName();
  }
}
