package io.weir.compat.stacks.jetty;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;

@DeepOnly
class JettyRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Servlets on Jetty 12.1";
  }

  @Override
  protected boolean hasTemplates() {
    return false;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(Application.class, options);
  }
}
