package io.weir.compat.stacks.payara;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class ResourcesTest extends StackChecks {
  @Override
  protected String stack() {
    return "Payara Micro " + Payara.VERSION;
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(26, "the page of an unmapped exception is the container's own");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return Payara.with(CheckedWars.resources(Map.of()));
  }
}
