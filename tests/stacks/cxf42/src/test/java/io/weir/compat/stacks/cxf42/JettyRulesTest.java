package io.weir.compat.stacks.cxf42;

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
    return "CXF 4.2 on Jetty 12.1";
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
