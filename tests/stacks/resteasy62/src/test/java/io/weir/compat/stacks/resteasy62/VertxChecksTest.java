package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;

@DeepOnly
class VertxChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "RESTEasy 6.2 on Vert.x";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(VertxMain.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
