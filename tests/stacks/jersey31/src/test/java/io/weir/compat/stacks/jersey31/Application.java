package io.weir.compat.stacks.jersey31;

import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import java.io.IOException;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** The application on Grizzly. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          HttpServer server =
              GrizzlyHttpServerFactory.createHttpServer(
                  URI.create("http://127.0.0.1:" + port + "/"),
                  new ResourceConfig(CheckedResources.classes()).register(RateLimitFeature.class));
          return server::shutdownNow;
        });
  }
}
