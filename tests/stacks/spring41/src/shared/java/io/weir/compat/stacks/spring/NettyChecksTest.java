package io.weir.compat.stacks.spring;

import io.weir.compat.stack.StackChecks;
import io.weir.compat.stack.StackProcess;
import io.weir.compat.stack.StackServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootVersion;

@EnabledIf("io.weir.compat.stacks.spring.ServerOfToday#isNetty")
class NettyChecksTest extends StackChecks {
  @Override
  protected String stack() {
    return "Spring Boot " + SpringBootVersion.getVersion() + " WebFlux on Netty";
  }

  @Override
  protected boolean signsInByPassword() {
    return true;
  }

  @Override
  protected StackServer newServer() throws IOException {
    return StackProcess.run(NettyMain.class, Libraries.netty(), List.of());
  }
}
