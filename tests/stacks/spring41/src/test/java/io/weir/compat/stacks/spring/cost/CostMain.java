package io.weir.compat.stacks.spring.cost;

import io.weir.compat.stack.StackMain;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the application that {@link RequestCostTest} measures. */
final class CostMain {
  private CostMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          ConfigurableApplicationContext context =
              SpringApplication.run(CostApplication.class, "--server.port=" + port);
          return context;
        });
  }
}
