package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.SpringBootVersion;

@DeepOnly
class JettyChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " MVC on Jetty";
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(JettyMain.class, Libraries.jetty(), List.of());
  }
}
