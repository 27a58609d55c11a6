package io.weir.compat.stacks.helidon4;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class HelidonChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Helidon 4.4 MP";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
