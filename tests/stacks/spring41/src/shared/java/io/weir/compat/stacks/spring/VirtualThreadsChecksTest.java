package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.SpringBootVersion;

/** The checks where one thread carries all virtual threads, so that none may hold it up. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " MVC on virtual threads";
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(
        VirtualThreadsMain.class,
        Libraries.tomcat(),
        List.of(
            "-Dspring.threads.virtual.enabled=true", "-Djdk.virtualThreadScheduler.parallelism=1"));
  }
}
