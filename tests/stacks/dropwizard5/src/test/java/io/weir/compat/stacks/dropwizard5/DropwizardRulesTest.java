package io.weir.compat.stacks.dropwizard5;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;

@DeepOnly
class DropwizardRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Dropwizard 5";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(CheckedApplication.class, options);
  }
}
