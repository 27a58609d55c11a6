package io.weir.compat.postgres;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/** Runs PostgreSQL on the loopback interface until Ctrl-C, to try Weir without installing it. */
public final class Main {
  private static final int DEFAULT_PORT = 5432;
  private static final String STORE = "weir.store";
  private static final String DATABASE = "postgres";

  private Main() {}

  /**
   * Starts PostgreSQL on {@code -Dport}; default 5432. Its data is deleted when it ends.
   *
   * <p>With an argument it starts an application on PostgreSQL, in this process: {@code weir.store}
   * becomes the address of a PostgreSQL on a free port. Where {@code -Dweir.store} is set, only the
   * application is started.
   *
   * @param args none, or the main class of the application and its arguments
   * @throws ReflectiveOperationException if there is no such class, or it has no main method
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    if (args.length == 0) {
      System.out.println(
          where(start(Integer.getInteger("port", DEFAULT_PORT))) + " (Ctrl-C stops it)");
      Thread.currentThread().join();
    }
    if (System.getProperty(STORE) == null) {
      PostgresServer postgres = start(PostgresServer.freePort());
      System.out.println(where(postgres));
      System.setProperty(STORE, postgres.url(DATABASE));
    }
    run(args[0], Arrays.copyOfRange(args, 1, args.length));
  }

  private static PostgresServer start(int port) {
    try {
      return PostgresServer.onPort(port);
    } catch (IllegalStateException failed) {
      System.err.println(
          "PostgreSQL couldn't start. If the port is in use, choose another one with -Dport=…");
      System.err.println(failed.getMessage());
      System.exit(1);
      throw failed;
    }
  }

  private static String where(PostgresServer postgres) {
    return "PostgreSQL is at " + postgres.url(DATABASE);
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
