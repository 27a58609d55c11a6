package io.weir.compat.stacks.undertow;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.util.List;

@RunOneIn(2)
class UndertowRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Servlets on Undertow 2.3";
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
