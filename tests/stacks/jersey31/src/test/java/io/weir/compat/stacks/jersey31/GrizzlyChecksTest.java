package io.weir.compat.stacks.jersey31;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class GrizzlyChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Jersey 3.1 on Grizzly";
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(26, "the page of an unmapped exception is the container's own");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
