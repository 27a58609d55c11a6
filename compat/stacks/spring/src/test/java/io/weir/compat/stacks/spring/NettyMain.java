package io.weir.compat.stacks.spring;

import io.weir.compat.stacks.spring.flux.FluxApplication;
import java.io.IOException;

/** The application on Spring WebFlux and Netty. */
public final class NettyMain {
  private NettyMain() {}

  public static void main(String[] args) throws IOException {
    SpringServer.run("Netty", FluxApplication.class);
  }
}
