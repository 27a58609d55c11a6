package io.weir.compat.stacks.jersey40;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;

class GrizzlyRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Jersey 4.0 on Grizzly";
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
