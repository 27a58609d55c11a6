package io.weir.compat.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A real Cassandra of its own in another process, on a port of a loopback address; its files go
 * when it is closed.
 *
 * <p>It ends with this JVM. Confine to one thread; {@link #shared()} may be used by all.
 */
public final class CassandraServer implements AutoCloseable {
  /** The superuser, if clients sign in. */
  public static final String USER = "cassandra";

  /** The password of {@link #USER}. */
  public static final String PASSWORD = "cassandra";

  /** The data centre, where there is one: Cassandra's default name. */
  public static final String DATA_CENTRE = "datacenter1";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Place place;
  private final CassandraConfig config;
  private final NodeFiles files;
  private final Thread hook = new Thread(this::end);
  private NodeProcess process;
  private @Nullable CqlSession own;

  /** Begins to start; {@link #awaitListening} waits. */
  CassandraServer(Place place, CassandraConfig config) {
    this.place = place;
    this.config = config;
    files = new NodeFiles(place, config);
    process = new NodeProcess(files);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Skips a test if a node can't be started here; fails it if programs are required. */
  public static void assumePresent() {
    Missing.forNode().ifPresent(Assumptions::abort);
  }

  /**
   * Starts one node on a free port and waits until it answers a query.
   *
   * @return a server that the caller closes
   */
  public static CassandraServer start() {
    return start(CassandraConfig.plain());
  }

  /**
   * Starts one node on a free port and waits until it answers a query.
   *
   * @param config what it is started with
   * @return a server that the caller closes
   */
  public static CassandraServer start(CassandraConfig config) {
    return onPort(freePort(), config);
  }

  /**
   * Returns a port that is free just now.
   *
   * @return a port of 127.0.0.1
   */
  public static int freePort() {
    return Ports.free(List.of(Ports.LOCALHOST));
  }

  /**
   * Starts one node on a port of 127.0.0.1 and waits until it answers a query.
   *
   * @param port a free one
   * @param config what it is started with
   * @return a server that the caller closes
   */
  public static CassandraServer onPort(int port, CassandraConfig config) {
    String address = Ports.LOCALHOST;
    int internode = Ports.free(List.of(address));
    CassandraServer server =
        new CassandraServer(
            new Place(address, port, internode, DATA_CENTRE, "0", List.of(address)), config);
    server.awaitListening();
    return server;
  }

  /**
   * Returns a server that needn't be stopped: it starts with the first call and ends with this JVM.
   * Tests share it, so each takes a keyspace of its own.
   *
   * @return the server, the same at each call
   */
  public static CassandraServer shared() {
    return Shared.SERVER;
  }

  void awaitListening() {
    try {
      process.awaitListening();
      Await.until("Cassandra answers at " + contactPoint(), this::answers);
    } catch (RuntimeException | AssertionError failed) {
      close();
      throw new IllegalStateException("Cassandra didn't start: " + failed.getMessage(), failed);
    }
  }

  /** The first user is made a moment after it listens. */
  private boolean answers() {
    try {
      return execute("SELECT release_version FROM system.local").one() != null;
    } catch (DriverException notYet) {
      return false;
    }
  }

  /**
   * Returns where clients connect, also after a restart.
   *
   * @return a loopback address and a port
   */
  public InetSocketAddress contactPoint() {
    return new InetSocketAddress(place.address(), place.port());
  }

  /**
   * Returns its address.
   *
   * @return such as {@code 127.0.0.2}
   */
  public String address() {
    return place.address();
  }

  /**
   * Returns where clients connect.
   *
   * @return a port of {@link #address()}
   */
  public int port() {
    return place.port();
  }

  /**
   * Returns the data centre that it stands in.
   *
   * @return its name
   */
  public String dataCentre() {
    return place.dataCentre();
  }

  /**
   * Returns the process that runs now.
   *
   * @return its number
   */
  public long pid() {
    return process.pid();
  }

  /**
   * Returns where it keeps its files; tables are below {@code data}.
   *
   * @return a directory that goes with it
   */
  public Path directory() {
    return files.directory();
  }

  /**
   * Returns the end of what it has logged.
   *
   * @return lines
   */
  public String log() {
    return files.log();
  }

  /**
   * Returns whether the process runs, be it frozen.
   *
   * @return false after {@link #kill()}
   */
  public boolean running() {
    return process.alive();
  }

  /**
   * Executes a statement as {@link #USER}, at the consistency {@code LOCAL_ONE}, with this node as
   * the coordinator.
   *
   * @param cql one statement
   * @param values of its question marks
   * @return what came back
   */
  public ResultSet execute(String cql, Object... values) {
    return execute(SimpleStatement.newInstance(cql, values));
  }

  /**
   * Executes a statement as {@link #USER}, with this node as the coordinator.
   *
   * @param statement one statement
   * @return what came back
   */
  public ResultSet execute(SimpleStatement statement) {
    CqlSession session = own;
    if (session == null) {
      session = session();
      own = session;
    }
    return session.execute(statement.setNode(itself(session)));
  }

  private Node itself(CqlSession session) {
    return session.getMetadata().findNode(contactPoint()).orElseThrow();
  }

  /**
   * Connects as {@link #USER}, to this node and the others of its data centre.
   *
   * @return a session that the caller closes
   */
  public CqlSession session() {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoint(contactPoint())
            .withLocalDatacenter(dataCentre())
            .withAuthCredentials(USER, PASSWORD)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
                    .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
                    .build());
    config.certificate().ifPresent(each -> builder.withSslContext(each.client()));
    return builder.build();
  }

  /**
   * Writes what is in memory into files.
   *
   * @param keyspace the keyspace of the tables
   */
  public void flush(String keyspace) {
    process.ask("flush " + keyspace);
  }

  /**
   * Returns the number of partitions of a table, including expired ones that still take space.
   *
   * @param keyspace where the table is
   * @param table its name
   * @return an estimate
   */
  public long partitions(String keyspace, String table) {
    return Long.parseLong(process.ask("partitions " + keyspace + " " + table));
  }

  /**
   * Merges the files of each table, which drops what has expired as far as the tables' options let
   * it.
   *
   * @param keyspace the keyspace of the tables
   */
  public void compact(String keyspace) {
    process.ask("compact " + keyspace);
  }

  /** Returns the nodes that this node believes to be up. */
  List<String> live() {
    return List.of(process.ask("live").split(" ", -1));
  }

  /** Returns a name for all tables that this node knows. */
  String schema() {
    return process.ask("schema");
  }

  /** Cuts it off from these addresses and no others. */
  void cutFrom(List<String> addresses) {
    process.ask(("cut " + String.join(" ", addresses)).strip());
  }

  /** Freezes it (SIGSTOP): connections stay open, and get no answers. */
  public void freeze() {
    process.signal("STOP");
  }

  /** Lets it go on (SIGCONT). */
  public void thaw() {
    process.signal("CONT");
  }

  /** Ends it at once (SIGKILL), also if it is frozen, and waits for its end. */
  public void kill() {
    disconnect();
    process.kill();
  }

  /** Starts it again at the same place with the same data; kills it first if it runs. */
  public void restart() {
    kill();
    process = new NodeProcess(files);
    awaitListening();
  }

  private void disconnect() {
    CqlSession session = own;
    own = null;
    if (session != null) {
      session.forceCloseAsync();
    }
  }

  private void end() {
    process.kill();
    files.delete();
  }

  /** Ends it and removes its files. Idempotent. */
  @Override
  public void close() {
    disconnect();
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException endsAnyway) {
      // then the hook finds nothing to do
    }
  }

  /** Started by the first one who asks. */
  private static final class Shared {
    static final CassandraServer SERVER = start();
  }
}
