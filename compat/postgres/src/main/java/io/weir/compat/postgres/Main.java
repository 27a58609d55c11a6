package io.weir.compat.postgres;

/** Runs PostgreSQL on the loopback interface until Ctrl-C, to try rules without installing it. */
public final class Main {
  private static final int DEFAULT_PORT = 5432;

  private Main() {}

  /**
   * Starts PostgreSQL on {@code -Dport}; default 5432. Its data is deleted when it ends.
   *
   * @param args none
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws InterruptedException {
    try {
      PostgresServer postgres = PostgresServer.onPort(Integer.getInteger("port", DEFAULT_PORT));
      System.out.println("PostgreSQL is at " + postgres.url("postgres") + " (Ctrl-C stops it)");
    } catch (IllegalStateException failed) {
      System.err.println(
          "PostgreSQL couldn't start. If the port is in use, choose another one with -Dport=…");
      System.err.println(failed.getMessage());
      System.exit(1);
    }
    Thread.currentThread().join();
  }
}
