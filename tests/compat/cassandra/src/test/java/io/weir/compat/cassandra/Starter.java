package io.weir.compat.cassandra;

/** Starts a Cassandra, says which process it is and where its files are, and waits to be killed. */
final class Starter {
  private Starter() {}

  public static void main(String[] args) throws InterruptedException {
    CassandraServer server = CassandraServer.start();
    System.out.println(server.pid());
    System.out.println(server.directory());
    Thread.currentThread().join();
  }
}
