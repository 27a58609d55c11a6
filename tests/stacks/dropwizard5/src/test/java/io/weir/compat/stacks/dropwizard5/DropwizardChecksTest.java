package io.weir.compat.stacks.dropwizard5;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class DropwizardChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Dropwizard 5";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(CheckedApplication.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
