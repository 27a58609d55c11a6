package io.weir.compat.stacks.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.weir.compat.stack.StackMain;
import io.weir.grpc.RateLimitInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Starts the server that {@link RequestCostTest} measures. */
final class CostMain {
  /** The property that says whether the process has Weir's libraries. */
  static final String WITH_WEIR = "weir.test.with-weir";

  private CostMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          NettyServerBuilder server =
              NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
          Server started =
              Boolean.getBoolean(WITH_WEIR)
                  ? Limited.start(server)
                  : server.addService(new CostService()).build().start();
          return started::shutdownNow;
        });
  }

  /** Loaded only with Weir's libraries. */
  private static final class Limited {
    static Server start(NettyServerBuilder server) throws IOException {
      RateLimitInterceptor limits = RateLimitInterceptor.create();
      return limits.start(server.addService(limits.limit(new CostService())));
    }
  }
}
