package io.weir.compat.stacks.payara;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.WarChecks;
import io.weir.compat.stack.WarFile;
import io.weir.compat.stack.WarServer;
import java.io.IOException;
import java.util.Map;

class ResourcesWarTest extends WarChecks {
  @Override
  protected WarFile war(Map<String, String> settings) throws IOException {
    return CheckedWars.resources(CheckedApplication.class, settings);
  }

  @Override
  protected WarServer newServer(WarFile war) throws IOException {
    return Payara.with(war);
  }
}
