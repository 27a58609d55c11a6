package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class ServletsTest extends StackChecks {
  @Override
  protected String stack() {
    return "Open Liberty " + Liberty.VERSION + ", servlets";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return Liberty.with(CheckedWars.servlets(Map.of()));
  }
}
