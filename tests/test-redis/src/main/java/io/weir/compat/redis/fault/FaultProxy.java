package io.weir.compat.redis.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port that passes everything on to a Redis or a PostgreSQL, until a fault is to strike the calls
 * that pass: of scripts, or statements. Whatever else is said, handshakes and questions for the
 * slots of a cluster, passes untouched.
 *
 * <p>Safe for concurrent use.
 */
public final class FaultProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final Wire.Language language;
  private volatile int behind;
  private volatile Strike strike = Strike.NONE;
  private final AtomicInteger struck = new AtomicInteger();
  private final ProxiedCallCounter sightings = new ProxiedCallCounter();
  private volatile Optional<byte[]> instead = Optional.empty();
  private final Set<Passage> open = ConcurrentHashMap.newKeySet();

  private FaultProxy(ServerSocket listener, Wire.Language language, int behind) {
    this.listener = listener;
    this.language = language;
    this.behind = behind;
  }

  /**
   * Listens on a port of its own.
   *
   * @param redis the port of 127.0.0.1 that everything goes on to
   */
  public static FaultProxy before(int redis) {
    return before(RedisWire::new, redis);
  }

  /**
   * Listens on a port of its own, for statements without TLS.
   *
   * @param postgres the port of 127.0.0.1 that everything goes on to
   */
  public static FaultProxy beforePostgres(int postgres) {
    return before(PostgresWire::new, postgres);
  }

  private static FaultProxy before(Wire.Language language, int behind) {
    try {
      InetAddress here = InetAddress.getLoopbackAddress();
      FaultProxy proxy = new FaultProxy(new ServerSocket(0, 64, here), language, behind);
      Passage.thread("fault-proxy", proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns the address for {@code weir.store}, if there is one Redis only. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** From now on strikes each call. */
  public synchronized void strike(Fault fault, Moment moment) {
    struck.set(0);
    strike = new Strike(fault, moment, struck::incrementAndGet);
  }

  /** From now on each call is answered so late, by chance. */
  public synchronized void slow(long leastMillis, long mostMillis) {
    struck.set(0);
    strike =
        Strike.slow(
            () -> ThreadLocalRandom.current().nextLong(leastMillis, mostMillis + 1),
            struck::incrementAndGet);
  }

  /** Lets everything pass again, also what was held up. */
  public synchronized void heal() {
    Strike last = strike;
    strike = Strike.NONE;
    last.end();
  }

  /** Returns the number of calls that the last fault has affected. */
  public int struck() {
    return struck.get();
  }

  /**
   * Begins to count what {@link #seen} returns.
   *
   * @param error the first word of an error of Redis, or a SQLSTATE; empty for lost calls
   */
  public void watch(String error) {
    sightings.watch(error);
  }

  /**
   * Returns the number of replies with the error; without an error, of calls that weren't answered.
   */
  public long seen() {
    return sightings.seen();
  }

  /** Replaces each call from now on; empty: forwards it unchanged. */
  void tell(Optional<byte[]> command) {
    instead = command;
  }

  Optional<byte[]> instead() {
    return instead;
  }

  ProxiedCallCounter sightings() {
    return sightings;
  }

  Wire.Language language() {
    return language;
  }

  Strike strike() {
    return strike;
  }

  void gone(Passage passage) {
    open.remove(passage);
  }

  /** Breaks all connections, and leads those to come to another server. */
  void leadTo(int other) {
    behind = other;
    open.forEach(Passage::close);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        open(listener.accept());
      } catch (IOException e) {
        // closed, or the server is away and its caller hears of it at once
      }
    }
  }

  private void open(Socket caller) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), behind);
      Passage passage = new Passage(caller, server, this);
      open.add(passage);
      passage.start();
    } catch (IOException e) {
      sightings.turnedAway();
      caller.close();
      throw e;
    }
  }

  /** Breaks all connections and listens no more. */
  @Override
  public void close() {
    heal();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(Passage::close);
  }
}
