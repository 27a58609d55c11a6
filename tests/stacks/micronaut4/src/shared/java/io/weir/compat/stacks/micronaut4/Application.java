package io.weir.compat.stacks.micronaut4;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.weir.compat.stack.StackMain;
import java.io.IOException;
import java.util.Map;

/** The application on Micronaut and Netty. */
public final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port ->
            ApplicationContext.run(EmbeddedServer.class, Map.of("micronaut.server.port", port)));
  }
}
