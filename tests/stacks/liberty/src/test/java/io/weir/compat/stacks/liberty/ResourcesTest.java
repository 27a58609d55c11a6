package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class ResourcesTest extends StackChecks {
  @Override
  protected String stack() {
    return "Open Liberty " + Liberty.VERSION;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return Liberty.with(CheckedWars.resources(Map.of()));
  }
}
