package io.weir.compat.stacks.resteasy;

import io.undertow.Undertow;
import io.weir.compat.stack.StackMain;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;

/** The application on RESTEasy's Undertow. */
public final class UndertowMain {
  private UndertowMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          UndertowJaxrsServer server = new UndertowJaxrsServer();
          server.start(Undertow.builder().addHttpListener(port, "127.0.0.1"));
          server.deploy(Application.class, "/");
          return () -> stop(server);
        });
  }

  /** Ends the application too, which stopping the server doesn't. */
  private static void stop(UndertowJaxrsServer server) throws ServletException {
    server.getManager().stop();
    server.getManager().undeploy();
    server.stop();
  }
}
