package io.weir.compat.stacks.jetty;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class JettyChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Servlets on Jetty 12.1";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
