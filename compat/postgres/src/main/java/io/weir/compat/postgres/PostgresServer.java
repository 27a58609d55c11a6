package io.weir.compat.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs a real PostgreSQL in processes of its own, on a port of 127.0.0.1. Its files are deleted
 * when it is closed, at the latest when this JVM ends.
 *
 * <p>Confine to one thread; {@link #shared()} may be used by all.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final Path directory;
  private final int port;
  private EmbeddedPostgres server;

  private PostgresServer(int port) {
    this.port = port;
    try {
      directory = Files.createTempDirectory("weir-postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /**
   * Starts a server on a free port and waits until it accepts connections.
   *
   * @return a server that the caller closes
   */
  public static PostgresServer start() {
    return onPort(freePort());
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static PostgresServer onPort(int port) {
    return new PostgresServer(port);
  }

  /**
   * Returns the server that tests share. It starts with the first call and ends with this JVM. Each
   * test takes a database of its own ({@link #newDatabase()}).
   *
   * @return the shared server, which isn't closed
   */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  private EmbeddedPostgres launch() {
    try {
      return EmbeddedPostgres.builder()
          .setPort(port)
          .setDataDirectory(directory.resolve("data"))
          .setCleanDataDirectory(false)
          .setRegisterShutdownHook(false)
          .setServerConfig("fsync", "off")
          .setServerConfig("synchronous_commit", "on") // committed data survives a kill
          .setPGStartupWait(PATIENCE)
          .start();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("PostgreSQL didn't start: " + e.getMessage(), e);
    }
  }

  /**
   * Makes an empty database.
   *
   * @return its address, with a superuser
   */
  public String newDatabase() {
    String name = "weir" + DATABASES.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(url("postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return url(name);
  }

  /**
   * Returns the address of a database.
   *
   * @param database its name
   * @return the address, with a superuser that needs no password
   */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
  }

  /**
   * Returns a source of connections, each of its own.
   *
   * @param url the address of a database
   * @return a source without a pool
   */
  public static DataSource source(String url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    return source;
  }

  /**
   * Returns the port, which stays the same after a restart.
   *
   * @return a port of 127.0.0.1
   */
  public int port() {
    return port;
  }

  /** Freezes all its processes (SIGSTOP): connections stay open without any response. */
  public void freeze() {
    signal("STOP", processes().subList(0, 1)); // so that it starts no others
    signal("STOP", processes());
  }

  /** Resumes its processes (SIGCONT). */
  public void thaw() {
    signal("CONT", processes());
  }

  /** Kills all its processes (SIGKILL), even frozen ones, and waits for their end. */
  public void kill() {
    freeze();
    List<ProcessHandle> all = processes();
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(
        process -> process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join());
  }

  /** Stops it in order: connections break, data stays. */
  public void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it again on the same port with the same data, after {@link #kill} or {@link #stop}. */
  public void restart() {
    stop();
    server = launch();
  }

  private static void signal(String name, List<ProcessHandle> processes) {
    for (ProcessHandle process : processes) {
      try {
        Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
        kill.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the first process and its descendants, among them one for each connection. */
  private List<ProcessHandle> processes() {
    try {
      Path file = directory.resolve("data").resolve("postmaster.pid");
      long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
      List<ProcessHandle> all = new ArrayList<>();
      ProcessHandle.of(pid).ifPresent(all::add);
      ProcessHandle.of(pid).ifPresent(first -> first.descendants().forEach(all::add));
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it and deletes its files. Idempotent. */
  @Override
  public void close() {
    if (Files.exists(directory)) {
      stop();
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts the server with the first use. */
  private static final class Shared {
    static final PostgresServer SERVER = start();
  }
}
