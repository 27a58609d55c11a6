package io.weir.compat.stacks.micronaut4;

import io.micronaut.core.version.VersionUtils;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;

@DeepOnly
class MicronautRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Micronaut " + VersionUtils.getMicronautVersion();
  }

  @Override
  protected boolean hasTemplates() {
    return true;
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer(List<String> options) throws IOException {
    return StackProcess.runWithRules(Application.class, options);
  }
}
