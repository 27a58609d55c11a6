package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

class ResourcesRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Open Liberty " + Liberty.VERSION;
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return Liberty.with(CheckedWars.resources(Map.of()).addRules(), options);
  }
}
