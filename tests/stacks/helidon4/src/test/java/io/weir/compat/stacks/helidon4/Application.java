package io.weir.compat.stacks.helidon4;

import io.helidon.microprofile.server.Server;
import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import java.io.IOException;
import org.glassfish.jersey.server.ResourceConfig;

/** The application on Helidon's web server. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          Server server =
              Server.builder()
                  .host("127.0.0.1")
                  .port(port)
                  .addApplication(
                      new ResourceConfig(CheckedResources.classes())
                          .register(RateLimitFeature.class))
                  .build()
                  .start();
          return server::stop;
        });
  }
}
