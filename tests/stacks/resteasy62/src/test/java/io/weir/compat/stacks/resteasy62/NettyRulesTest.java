package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.util.List;

/**
 * Not in long builds only: the event loop is the hardest, as callers are looked up in other
 * threads.
 */
@OneDayIn(2)
class NettyRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "RESTEasy 6.2 on Netty";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(NettyMain.class, options);
  }
}
