package io.weir.compat.stacks.micronaut4;

import io.micronaut.core.version.VersionUtils;
import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class MicronautChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Micronaut " + VersionUtils.getMicronautVersion();
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(Application.class);
  }
}
