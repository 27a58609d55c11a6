package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackMain;
import io.weir.compat.stacks.resteasy.Application;
import java.io.IOException;
import org.jboss.resteasy.plugins.server.vertx.VertxJaxrsServer;

/** The application on RESTEasy's Vert.x. */
@SuppressWarnings({"deprecation", "removal"}) // RESTEasy has no other embedded servers yet
final class VertxMain {
  private VertxMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          VertxJaxrsServer server = new VertxJaxrsServer();
          server.setHostname("127.0.0.1").setPort(port);
          server.getDeployment().setApplicationClass(Application.class.getName());
          server.start();
          return server::stop;
        });
  }
}
