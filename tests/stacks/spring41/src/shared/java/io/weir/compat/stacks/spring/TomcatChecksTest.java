package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootVersion;

@EnabledIf("io.weir.compat.stacks.spring.ServerOfToday#isTomcat")
class TomcatChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " MVC on Tomcat";
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(TomcatMain.class, Libraries.tomcat(), List.of());
  }
}
