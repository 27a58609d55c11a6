package io.weir.internal.server.resp;

import java.util.Map;

/** A process that serves buckets in a directory and prints its port, until it is killed. */
final class KilledServer {
  private KilledServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    Served served =
        Served.on(
            "rocksdb:" + arguments[0], Map.of("weir.secret", "a secret"), true, RespLimits.DEFAULT);
    System.out.println(served.port());
    Thread.currentThread().join();
  }
}
