package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import io.weir.compat.stacks.resteasy.UndertowMain;
import io.weir.seeds.OneDayIn;
import java.io.IOException;

@OneDayIn(2)
class UndertowChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "RESTEasy 6.2 on Undertow";
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(UndertowMain.class, "-Dweir.proxy.trusted=127.0.0.1");
  }
}
