package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;

class RestChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Quarkus 3.33 REST";
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(
        QuarkusMain.class,
        library -> false,
        List.of(
            "-Dweir.proxy.trusted=127.0.0.1",
            "-D" + QuarkusMain.APPLICATION + "=" + System.getProperty(QuarkusMain.APPLICATION)));
  }
}
