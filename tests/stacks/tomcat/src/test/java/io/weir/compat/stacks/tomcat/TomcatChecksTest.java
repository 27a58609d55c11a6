package io.weir.compat.stacks.tomcat;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class TomcatChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Servlets on Tomcat 11";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
