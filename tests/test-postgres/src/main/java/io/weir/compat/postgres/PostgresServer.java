package io.weir.compat.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Runs a real PostgreSQL in processes of its own, on a port of 127.0.0.1. Its files are deleted
 * when it is closed, at the latest when this JVM ends.
 *
 * <p>Confine to one thread; {@link #shared()} may be used by all.
 */
public final class PostgresServer implements AutoCloseable {
  /** The oldest version that Weir supports. */
  public static final int OLDEST = 14;

  /** The newest version, which tests use unless they name another one. */
  public static final int NEWEST = 18;

  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int FIRST_PORT = 24_000;
  private static final int PORTS = 4_000;
  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final Map<Integer, PostgresServer> SHARED = new ConcurrentHashMap<>();

  private final int major;
  private final Map<String, String> settings;
  private final Path directory;
  private final int port;
  private EmbeddedPostgres server;

  private PostgresServer(int major, int port, Map<String, String> settings, Contents contents) {
    this.major = major;
    this.port = port;
    this.settings = Map.copyOf(settings);
    this.directory = DataDirectory.temporary("postgres", "on".equals(settings.get("fsync")));
    contents.prepare(data());
    server = launch();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** What a server is to find when it starts for the first time. */
  interface Contents {
    /** Puts it there. */
    void prepare(Path data);
  }

  /**
   * Starts the newest version on a free port and waits until it accepts connections.
   *
   * @return a server that the caller closes
   */
  public static PostgresServer start() {
    return start(NEWEST, Map.of());
  }

  /**
   * Starts a server of a version on a free port and waits until it accepts connections.
   *
   * @param major from {@link #OLDEST} to {@link #NEWEST}; those between need {@code -Pdeep}
   * @return a server that the caller closes
   */
  public static PostgresServer start(int major) {
    return start(major, Map.of());
  }

  /**
   * Starts a server of a version with settings of its own.
   *
   * @param major from {@link #OLDEST} to {@link #NEWEST}
   * @param settings as in {@code postgresql.conf}. Unless set here, {@code fsync} is off and {@code
   *     synchronous_commit} on: what is committed survives {@link #kill}, not the machine's end,
   *     and the files are in memory where there is room. With {@code fsync} on they are on the disk
   * @return a server that the caller closes
   */
  public static PostgresServer start(int major, Map<String, String> settings) {
    return new PostgresServer(major, freePort(), settings, new EmptyCluster(major)::copyTo);
  }

  /** Starts another server of the same version and settings, from a copy of this one's files. */
  PostgresServer twin(Contents additions) {
    try (PostgresBackup backup = backUp()) {
      Contents contents =
          data -> {
            backup.unpack(data);
            additions.prepare(data);
          };
      return new PostgresServer(major, freePort(), settings, contents);
    }
  }

  /**
   * Returns a port that nobody uses just now, and that no system gives away by itself.
   *
   * @return a port of 127.0.0.1
   */
  static int freePort() {
    return ThreadLocalRandom.current()
        .ints(FIRST_PORT, FIRST_PORT + PORTS)
        .filter(PostgresServer::isFree)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  static PostgresServer onPort(int port) {
    return new PostgresServer(NEWEST, port, Map.of(), new EmptyCluster(NEWEST)::copyTo);
  }

  /**
   * Returns the server of the newest version that tests share. It starts with the first call and
   * ends with this JVM. Each test takes a database of its own ({@link #newDatabase()}).
   *
   * @return the shared server, which isn't closed
   */
  public static PostgresServer shared() {
    return shared(NEWEST);
  }

  /**
   * Returns the server of a version that tests share.
   *
   * @param major from {@link #OLDEST} to {@link #NEWEST}
   * @return the shared server, which isn't closed
   */
  public static PostgresServer shared(int major) {
    return SHARED.computeIfAbsent(major, PostgresServer::start);
  }

  private EmbeddedPostgres launch() {
    try {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setPort(port)
              .setDataDirectory(data())
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setServerConfig("fsync", "off")
              .setServerConfig("full_page_writes", settings.getOrDefault("fsync", "off"))
              .setServerConfig("synchronous_commit", "on")
              .setPGStartupWait(PATIENCE);
      settings.forEach((name, value) -> builder.setServerConfig(name, "'" + value + "'"));
      PostgresBinaries.choose(builder, major);
      return builder.start();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException("PostgreSQL didn't start: " + e.getMessage(), e);
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  /**
   * Makes an empty database.
   *
   * @return its address, with a superuser
   */
  public String newDatabase() {
    return create("");
  }

  /**
   * Makes a database with all that another one holds, which takes about as long as an empty one.
   *
   * @param template the name of the other one, to which nobody may be connected
   * @return its address, with a superuser
   */
  public String newDatabase(String template) {
    return create(" TEMPLATE " + template);
  }

  String create(String how) {
    String name = "weir" + DATABASES.incrementAndGet();
    String files = major < 15 ? "" : " STRATEGY FILE_COPY"; // as 14 does: nothing goes to the log
    Sql.execute(url("postgres"), "CREATE DATABASE " + name + how + files);
    return url(name);
  }

  /**
   * Returns the address of a database.
   *
   * @param database its name
   * @return the address, with a superuser that needs no password
   */
  public String url(String database) {
    return "jdbc:postgresql://" + address() + "/" + database + "?user=postgres";
  }

  /**
   * Returns the address of a database on whichever of several servers accepts writes.
   *
   * @param database its name
   * @param servers a primary and its replicas
   * @return the address, with a superuser that needs no password
   */
  public static String primaryUrl(String database, PostgresServer... servers) {
    return Arrays.stream(servers)
        .map(PostgresServer::address)
        .collect(
            Collectors.joining(
                ",",
                "jdbc:postgresql://",
                "/" + database + "?user=postgres&targetServerType=primary"));
  }

  private String address() {
    return "127.0.0.1:" + port;
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
   * Makes a role that may log in, and requires passwords of all roles but the superuser from now
   * on.
   *
   * @param name the role, a plain word
   * @param password its password
   */
  public void newRole(String name, String password) {
    Sql.execute(url("postgres"), "CREATE ROLE " + name + " LOGIN PASSWORD '" + password + "'");
    DataDirectory.write(
        data().resolve("pg_hba.conf"),
        "host all,replication postgres 127.0.0.1/32 trust",
        "host all all 127.0.0.1/32 scram-sha-256");
    reload();
  }

  /**
   * Makes a role that may log in without a password, but only over TLS. The server must have been
   * started with {@code ssl} on, and takes a moment to apply it.
   *
   * @param name the role, a plain word
   */
  public void newEncryptedRole(String name) {
    Sql.execute(url("postgres"), "CREATE ROLE " + name + " LOGIN");
    DataDirectory.write(
        data().resolve("pg_hba.conf"),
        "host all,replication postgres 127.0.0.1/32 trust",
        "hostssl all " + name + " 127.0.0.1/32 trust");
    reload();
  }

  /**
   * Changes a setting of the running server, in force for all sessions that don't set it
   * themselves.
   *
   * @param name as in {@code postgresql.conf}; none that was given when it started
   * @param value its value; empty for the usual one
   */
  public void set(String name, String value) {
    String how = value.isEmpty() ? "RESET " + name : "SET " + name + " = '" + value + "'";
    Sql.execute(url("postgres"), "ALTER SYSTEM " + how);
    reload();
  }

  /** When it takes the second connection, it has passed the change on to its other processes. */
  private void reload() {
    Sql.execute(url("postgres"), "SELECT pg_reload_conf()");
    Sql.execute(url("postgres"), "SELECT 1");
  }

  /**
   * Returns the port, which stays the same after a restart.
   *
   * @return a port of 127.0.0.1
   */
  public int port() {
    return port;
  }

  /**
   * Returns the version.
   *
   * @return from {@link #OLDEST} to {@link #NEWEST}
   */
  public int major() {
    return major;
  }

  /** Freezes all its processes (SIGSTOP): connections stay open without any response. */
  public void freeze() {
    ServerProcesses.freeze(data());
  }

  /** Resumes its processes (SIGCONT). */
  public void thaw() {
    ServerProcesses.thaw(data());
  }

  /** Kills all its processes (SIGKILL), even frozen ones, and waits for their end. */
  public void kill() {
    ServerProcesses.kill(data());
  }

  /**
   * Ends it without a last checkpoint (an immediate shutdown): connections are told so and break,
   * and it recovers as after a crash when it starts again.
   */
  public void stopAtOnce() {
    ServerProcesses.end(data(), "QUIT");
  }

  /** Stops it in order: connections break, data stays. */
  public void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts it again on the same port with the same data, after {@link #kill}, {@link #stop} or
   * {@link #stopAtOnce}. After a kill, unlogged tables are empty.
   */
  public void restart() {
    stop();
    server = launch();
  }

  /**
   * Copies its files as they are at this moment, while it stands still.
   *
   * @return a copy that the caller closes
   */
  public PostgresBackup backUp() {
    freeze();
    try {
      return new PostgresBackup(data());
    } finally {
      thaw();
    }
  }

  /**
   * Kills it, and starts it again on the same port with the files of a copy.
   *
   * @param backup taken earlier, from this server
   */
  public void restore(PostgresBackup backup) {
    kill();
    stop();
    DataDirectory.delete(data());
    backup.unpack(data());
    server = launch();
  }

  /** Ends it, even if it is frozen, and deletes its files. Idempotent. */
  @Override
  public void close() {
    if (Files.exists(directory)) {
      thaw();
      stopAtOnce(); // nobody needs what a last checkpoint would write
      DataDirectory.delete(directory);
    }
  }
}
