package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.BeanChecks;
import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class BeansTest extends BeanChecks {
  @Override
  protected StackServer newServer(boolean mistaken) throws IOException {
    return WildFly.with(CheckedWars.beans(mistaken));
  }
}
