package io.weir.compat.stacks.cxf42;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class JettyChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "CXF 4.2 on Jetty 12.1";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
