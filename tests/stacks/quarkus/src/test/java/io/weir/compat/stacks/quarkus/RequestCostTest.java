package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.RequestCosts;
import io.weir.compat.stack.StackProcess;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.util.List;

@OneDayIn(3)
class RequestCostTest extends RequestCosts {
  @Override
  protected String stack() {
    return "Quarkus REST";
  }

  /** Of two applications with Quarkus Security, since the build decides whether one has Weir. */
  @Override
  protected StackProcess newServer(boolean withWeir) throws IOException {
    String application = QuarkusMain.APPLICATION + (withWeir ? "" : "-without");
    return StackProcess.run(
        QuarkusMain.class,
        library -> false,
        List.of(
            "-XX:TieredStopAtLevel=4",
            "-D" + QuarkusMain.APPLICATION + "=" + System.getProperty(application)));
  }
}
