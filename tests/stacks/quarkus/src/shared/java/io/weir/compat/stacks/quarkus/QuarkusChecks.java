package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;

/** The checks of an application that Quarkus has built. */
abstract class QuarkusChecks extends StackChecks {
  @Override
  protected final boolean signsInByPassword() {
    return true;
  }

  @Override
  protected final StackServer newServer() throws IOException {
    return StackProcess.run(
        QuarkusMain.class,
        library -> false,
        List.of(
            "-Dweir.proxy.trusted=127.0.0.1",
            "-D" + QuarkusMain.APPLICATION + "=" + System.getProperty(QuarkusMain.APPLICATION)));
  }
}
