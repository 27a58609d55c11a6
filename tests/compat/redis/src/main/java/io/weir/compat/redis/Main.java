package io.weir.compat.redis;

import java.util.List;

/** Starts a local Redis on the loopback interface, and lets it run until Ctrl-C. */
public final class Main {
  private static final int USUAL_PORT = 6379;

  private Main() {}

  /**
   * Starts Redis on {@code -Dport}, 6379 unless set. What it holds is gone when it ends.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    try {
      int port = Integer.getInteger("port", USUAL_PORT);
      RedisServer redis =
          RedisServer.onPort(port, List.of("save \"\"", "appendonly no"), List.of());
      Runtime.getRuntime().addShutdownHook(new Thread(redis::close));
      System.out.println("Redis is at " + redis.url() + " (Ctrl-C stops it)");
    } catch (IllegalStateException failed) {
      System.err.println("Redis can't start; is the port taken? Another one: -Dport=…");
      System.err.println(failed.getMessage());
      System.exit(1);
    }
    Thread.currentThread().join();
  }
}
