package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.flux.FluxApplication;
import java.io.IOException;
import org.springframework.boot.SpringBootVersion;

/** The application on Spring WebFlux and Netty. */
public final class NettyMain {
  private NettyMain() {}

  public static void main(String[] args) throws IOException {
    // Reactor Netty 1.2.18, which Spring Boot 3.5.16 brings, may stop reading a connection once a
    // response came from another thread and the next one from the event loop, without Weir too.
    // This avoids it. Not needed with 1.3.8.
    if (SpringBootVersion.getVersion().startsWith("3.")) {
      System.setProperty("reactor.netty.http.server.lastFlushWhenNoRead", "true");
    }
    SpringServer.run("Netty", FluxApplication.class);
  }
}
