package io.weir.compat.cassandra;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Starts a local Cassandra on the loopback interface, and lets it run until Ctrl-C. */
public final class Main {
  private static final int USUAL_PORT = 9042;
  private static final String KEYSPACE = "weir";
  private static final String STORE = "weir.store";

  private Main() {}

  /**
   * Starts Cassandra on {@code -Dport}, 9042 unless set, with a keyspace. What it holds is gone
   * when it ends.
   *
   * <p>With an argument it starts an application on Cassandra, in this process: {@code weir.store}
   * becomes the address of a Cassandra on a free port. Where {@code -Dweir.store} is set, nothing
   * but the application is started.
   *
   * @param args none, or the main class of the application and its arguments
   * @throws ReflectiveOperationException if there is no such class, or it has no main method
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    if (args.length == 0) {
      CassandraServer cassandra = start(Integer.getInteger("port", USUAL_PORT));
      System.out.println(where(cassandra) + " (Ctrl-C stops it)");
      System.out.println(STORE + "=" + store(cassandra));
      Thread.currentThread().join();
    }
    if (System.getProperty(STORE) == null) {
      CassandraServer cassandra = start(CassandraServer.freePort());
      System.out.println(where(cassandra));
      System.setProperty(STORE, store(cassandra));
    }
    run(args[0], Arrays.copyOfRange(args, 1, args.length));
  }

  private static CassandraServer start(int port) {
    try {
      CassandraServer cassandra = CassandraServer.onPort(port, CassandraConfig.plain());
      cassandra.execute(
          "CREATE KEYSPACE "
              + KEYSPACE
              + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
              + cassandra.dataCentre()
              + "': 1}");
      return cassandra;
    } catch (IllegalStateException failed) {
      System.err.println("Cassandra can't start; is the port taken? Another one: -Dport=…");
      System.err.println(failed.getMessage());
      System.exit(1);
      throw failed;
    }
  }

  private static String where(CassandraServer cassandra) {
    return "Cassandra is at " + address(cassandra) + ", data centre " + cassandra.dataCentre();
  }

  private static String store(CassandraServer cassandra) {
    return "cassandra://" + address(cassandra) + "/" + KEYSPACE + "?dc=" + cassandra.dataCentre();
  }

  private static String address(CassandraServer cassandra) {
    return cassandra.address() + ":" + cassandra.port();
  }

  private static void run(String name, String[] args) throws ReflectiveOperationException {
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      Class.forName(name, true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    } catch (InvocationTargetException failed) {
      throw new IllegalStateException(name + " failed", failed.getCause());
    }
  }
}
