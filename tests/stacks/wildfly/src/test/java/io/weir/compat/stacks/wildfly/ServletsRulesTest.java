package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.CheckedWars;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

class ServletsRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "WildFly " + WildFly.VERSION + ", servlets";
  }

  @Override
  protected boolean hasTemplates() {
    return false;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return WildFly.with(CheckedWars.servlets(Map.of()).addRules(), options);
  }
}
