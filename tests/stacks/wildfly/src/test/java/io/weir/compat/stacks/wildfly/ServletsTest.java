package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class ServletsTest extends StackChecks {
  @Override
  protected String stack() {
    return "WildFly " + WildFly.VERSION + ", servlets";
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(26, "Undertow removes all fields where no error page is registered");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return WildFly.with(CheckedWars.servlets(Map.of()));
  }
}
