package io.weir.compat.postgres;

import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a PgBouncer in transaction mode in front of a server, on a port of 127.0.0.1.
 *
 * <p>Confine to one thread.
 */
public final class PgBouncer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path directory = DataDirectory.temporary("pgbouncer", false);
  private final int port = PostgresServer.freePort();
  private final Process process;

  /** A version of PgBouncer. */
  public enum Version {
    /**
     * Older than 1.21: a session's prepared statements are unknown to the next transaction. Debian
     * has 1.18, which differs from 1.20 in nothing that a transaction sees.
     */
    OLD,
    /** The newest, which prepares statements anew where a transaction needs them. */
    NEWEST;

    /**
     * Returns whether it can be started here. If not, the build's output says once what to do.
     *
     * @return whether {@link PgBouncer#start} will find it
     * @throws AssertionError if it can't and programs are required
     */
    public boolean isPresent() {
      boolean found = UnpackedPgBouncer.command(folder()).isPresent();
      if (!found) {
        RequiredPrograms.reportMissing(what());
      }
      return found;
    }

    /** Skips a test if it can't be started here; fails it if programs are required. */
    public void assumePresent() {
      RequiredPrograms.assumePresent(isPresent(), what());
    }

    private String what() {
      return "PgBouncer, " + folder() + " (tests/compat/postgres/fetch-pgbouncer unpacks it)";
    }

    private String folder() {
      return this == OLD ? "old" : "newest";
    }
  }

  /**
   * Starts one for the superuser, who needs no password.
   *
   * @param version one that {@linkplain Version#isPresent() is present}
   * @param server the server behind it
   * @param settings for its section {@code pgbouncer}, such as {@code default_pool_size}
   * @return a pooler that the caller closes
   */
  public static PgBouncer start(
      Version version, PostgresServer server, Map<String, String> settings) {
    return new PgBouncer(version, server, settings, "trust", "\"postgres\" \"\"");
  }

  /**
   * Starts one for a role that shows its password (SCRAM).
   *
   * @param version one that {@linkplain Version#isPresent() is present}
   * @param server the server behind it, which asks for the password as well
   * @param settings for its section {@code pgbouncer}
   * @param role from {@link PostgresServer#newRole}
   * @param password its password
   * @return a pooler that the caller closes
   */
  public static PgBouncer start(
      Version version,
      PostgresServer server,
      Map<String, String> settings,
      String role,
      String password) {
    String login = "\"" + role + "\" \"" + password + "\"";
    return new PgBouncer(version, server, settings, "scram-sha-256", login);
  }

  private PgBouncer(
      Version version,
      PostgresServer server,
      Map<String, String> settings,
      String authentication,
      String login) {
    DataDirectory.write(directory.resolve("users.txt"), login);
    List<String> config = new ArrayList<>();
    config.add("[databases]");
    config.add("* = host=127.0.0.1 port=" + server.port());
    config.add("[pgbouncer]");
    config.add("listen_addr = 127.0.0.1");
    config.add("listen_port = " + port);
    config.add("unix_socket_dir =");
    config.add("auth_type = " + authentication);
    config.add("auth_file = " + directory.resolve("users.txt"));
    config.add("pool_mode = transaction");
    config.add("ignore_startup_parameters = extra_float_digits"); // which the driver sends
    settings.forEach((name, value) -> config.add(name + " = " + value));
    Path file = directory.resolve("pgbouncer.ini");
    DataDirectory.write(file, config.toArray(String[]::new));
    process = launch(version, file);
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    awaitListening();
  }

  private Process launch(Version version, Path config) {
    List<String> command =
        new ArrayList<>(UnpackedPgBouncer.command(version.folder()).orElseThrow());
    command.add(config.toString());
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(log().toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path log() {
    return directory.resolve("log");
  }

  private void awaitListening() {
    long start = System.nanoTime();
    while (!isListening()) {
      if (!process.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
        String said = readLog();
        close();
        throw new IllegalStateException("PgBouncer didn't start: " + said);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean isListening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private String readLog() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the address of a database through it.
   *
   * @param database its name
   * @return the address, without a user
   */
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** Freezes it (SIGSTOP): connections stay open without any response. */
  public void freeze() {
    ServerProcesses.signal("STOP", List.of(process.toHandle()));
  }

  /** Resumes it (SIGCONT). */
  public void thaw() {
    ServerProcesses.signal("CONT", List.of(process.toHandle()));
  }

  /** Kills it, even if it is frozen, and deletes its files: connections break. Idempotent. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    DataDirectory.delete(directory);
  }
}
