package io.weir.compat.stacks.cxf41;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class TomcatChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "CXF 4.1 on Tomcat 10.1";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
