package io.weir.compat.stacks.spring.usual;

import io.weir.compat.stack.StackMain;
import java.io.IOException;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the shop as its main method would. */
final class ShopMain {
  private ShopMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          ConfigurableApplicationContext context =
              SpringApplication.run(ShopApplication.class, "--server.port=" + port);
          return context;
        });
  }
}
