package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.BeanChecks;
import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackServer;
import java.io.IOException;

class BeansTest extends BeanChecks {
  @Override
  protected StackServer newServer(boolean mistaken) throws IOException {
    return Liberty.withBeans(CheckedWars.beans(mistaken));
  }
}
