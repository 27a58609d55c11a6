package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;
import io.weir.compat.stack.WarFile;
import io.weir.compat.stack.WarServer;
import java.io.IOException;
import java.util.Map;

class ServletsWarTest extends WarChecks {
  @Override
  protected WarFile war(Map<String, String> settings) throws IOException {
    return CheckedWars.servlets(settings);
  }

  @Override
  protected WarServer newServer(WarFile war) throws IOException {
    return WildFly.with(war);
  }
}
