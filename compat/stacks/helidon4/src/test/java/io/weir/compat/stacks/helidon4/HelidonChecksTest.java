package io.weir.compat.stacks.helidon4;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class HelidonChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Helidon 4.4 MP";
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(
        32,
        "Helidon never cancels the timer of a stopped server, which keeps the server with its"
            + " applications; no thread of Weir is left");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
