package io.weir.compat.stacks.undertow;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.Map;

class UndertowChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Servlets on Undertow 2.3";
  }

  @Override
  protected Map<Integer, String> impossible() {
    return Map.of(26, "Undertow removes all fields where no error page is registered");
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
