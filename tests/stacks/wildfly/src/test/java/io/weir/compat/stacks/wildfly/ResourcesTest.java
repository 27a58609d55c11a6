package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class ResourcesTest extends StackChecks {
  @Override
  protected String stack() {
    return "WildFly " + WildFly.VERSION;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return WildFly.with(CheckedWars.resources(Map.of()));
  }
}
