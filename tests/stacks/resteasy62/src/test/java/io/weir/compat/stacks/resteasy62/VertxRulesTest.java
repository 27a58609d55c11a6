package io.weir.compat.stacks.resteasy62;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;

@DeepOnly
class VertxRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "RESTEasy 6.2 on Vert.x";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(VertxMain.class, options);
  }
}
