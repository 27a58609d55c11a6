package io.weir.compat.postgres;

/** Starts a PostgreSQL on the loopback interface, for whoever has none, until Ctrl-C. */
public final class Main {
  private static final int USUAL_PORT = 5432;

  private Main() {}

  /**
   * Starts PostgreSQL on {@code -Dport}, 5432 unless set. What it holds is gone when it ends.
   *
   * @param args none
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws InterruptedException {
    try {
      PostgresServer postgres = PostgresServer.onPort(Integer.getInteger("port", USUAL_PORT));
      System.out.println("PostgreSQL is at " + postgres.url("postgres") + " (Ctrl-C stops it)");
    } catch (IllegalStateException failed) {
      System.err.println("PostgreSQL can't start; is the port taken? Another one: -Dport=…");
      System.err.println(failed.getMessage());
      System.exit(1);
    }
    Thread.currentThread().join();
  }
}
