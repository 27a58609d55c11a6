package io.weir.compat.stacks.helidon4;

import io.helidon.microprofile.server.Server;
import io.weir.compat.stack.CheckedBeans;
import io.weir.compat.stack.CheckedSignIn;
import io.weir.compat.stack.SelfCallingBean;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Path;
import java.io.IOException;
import org.glassfish.jersey.server.ResourceConfig;

/** The application with beans on Helidon's web server. */
final class BeanApplication {
  /** Names whether {@link SelfCaller} is a bean: {@code false} if not, see beans.xml. */
  static final String MISTAKEN = "weir.test.mistaken";

  private BeanApplication() {}

  // Helidon looks for beans in the folder of this module's classes, so they are in it.

  @ApplicationScoped
  static class Mailer extends CheckedBeans.Mailer {}

  @Path("/")
  @ApplicationScoped
  public static class Desk extends CheckedBeans.Desk {}

  @ApplicationScoped
  static class SelfCaller extends SelfCallingBean {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          Server server =
              Server.builder()
                  .host("127.0.0.1")
                  .port(port)
                  .addApplication(
                      new ResourceConfig(Desk.class, CheckedSignIn.class)
                          .register(RateLimitFeature.class))
                  .build()
                  .start();
          return server::stop;
        });
  }
}
