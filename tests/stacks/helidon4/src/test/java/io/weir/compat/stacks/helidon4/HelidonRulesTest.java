package io.weir.compat.stacks.helidon4;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;

class HelidonRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Helidon 4.4 MP";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(Application.class, options);
  }
}
