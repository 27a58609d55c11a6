package io.weir.compat.stacks.payara;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

class ResourcesRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Payara Micro " + Payara.VERSION;
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return Payara.with(CheckedWars.resources(Map.of()).addRules(), options);
  }
}
