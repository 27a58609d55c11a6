package io.weir.compat.stacks.payara;

import io.weir.compat.stack.BeanChecks;
import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class BeansTest extends BeanChecks {
  @Override
  protected StackServer newServer(boolean mistaken) throws IOException {
    return Payara.with(CheckedWars.beans(mistaken));
  }
}
