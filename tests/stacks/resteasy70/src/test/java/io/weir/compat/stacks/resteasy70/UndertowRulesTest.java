package io.weir.compat.stacks.resteasy70;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.compat.stacks.resteasy.UndertowMain;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;

@DeepOnly
class UndertowRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "RESTEasy 7.0 on Undertow";
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(UndertowMain.class, options);
  }
}
