package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackRuleChecks;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.SpringBootVersion;

@DeepOnly
class JettyRulesTest extends StackRuleChecks {
  @Override
  protected String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " MVC on Jetty";
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
    return StackProcess.runWithRules(JettyMain.class, Libraries.jetty(), options);
  }
}
