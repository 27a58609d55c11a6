package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.address.HostAndPort;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;

/**
 * Locates the master that sentinels name.
 *
 * <p>They are asked once a second, and before the next connection after a failure. So a node also
 * leaves an old master that comes back from a pause and doesn't know yet that it was replaced.
 *
 * <p>If no sentinel answers at all, and only then, the last master is used as long as it confirms
 * that it is one: sentinels that are down are no reason to count without a master that is up.
 */
final class SentinelTopology implements Topology {
  private static final Logger LOG = System.getLogger("io.weir");

  private final List<HostAndPort> sentinels;
  private final String name;
  private final BiFunction<HostAndPort, String[], @Nullable Object> asker;
  private final Executor background;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile Optional<HostAndPort> master = Optional.empty();
  private volatile boolean doubted;
  private final AtomicBoolean silent = new AtomicBoolean();

  /** Passes a sentinel and the words after SENTINEL to {@code asker}. */
  SentinelTopology(
      List<HostAndPort> sentinels,
      String name,
      BiFunction<HostAndPort, String[], @Nullable Object> asker,
      Executor background) {
    this.sentinels = sentinels;
    this.name = name;
    this.asker = asker;
    this.background = background;
  }

  @Override
  public int partition(byte[] key) {
    return 0;
  }

  @Override
  public HostAndPort find(int partition) {
    Optional<HostAndPort> known = master;
    return doubted || known.isEmpty() ? ask() : known.get();
  }

  @Override
  public boolean knows(int partition, HostAndPort endpoint) {
    return !doubted && master.filter(endpoint::equals).isPresent();
  }

  @Override
  public void doubt() {
    doubted = true;
  }

  @Override
  public void poll() {
    if (asking.compareAndSet(false, true)) {
      try {
        background.execute(this::askInBackground);
      } catch (RejectedExecutionException notNow) {
        asking.set(false); // the next heartbeat tries again
      }
    }
  }

  private void askInBackground() {
    try {
      ask();
    } catch (ConnectionException unknown) {
      // The master may be up without them.
    } finally {
      asking.set(false);
    }
  }

  private HostAndPort ask() {
    String last = "no sentinel";
    boolean anyAnswered = false;
    for (HostAndPort each : sentinels) {
      try {
        Optional<HostAndPort> found = read(asker.apply(each, words()));
        anyAnswered = true;
        if (found.isPresent()) {
          master = found;
          doubted = false;
          if (silent.compareAndSet(true, false)) {
            LOG.log(Level.INFO, "The sentinels of " + name + " answer again.");
          }
          return found.get();
        }
        last = "the sentinel at " + each + " knows no master of that name";
      } catch (ConnectionException refused) {
        anyAnswered |= refused.failure().trouble() != FailureKind.AWAY;
        last = "of a sentinel: " + refused.getMessage();
      }
    }
    Optional<HostAndPort> before = master;
    if (!anyAnswered && before.isPresent()) {
      return withoutSentinels(before.get(), last);
    }
    throw new ConnectionException(Failure.away("no sentinel names the master; " + last));
  }

  /** Uses the last master; each new connection to it is {@linkplain #check checked}. */
  private HostAndPort withoutSentinels(HostAndPort before, String why) {
    if (silent.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "No sentinel of "
              + name
              + " answers, so a failover wouldn't be noticed. Until one does, the last master, "
              + before
              + ", is used as long as ROLE confirms that it is one. Start the sentinels, or correct"
              + " their addresses in weir.store. The last failure: "
              + why);
    }
    doubted = false;
    return before;
  }

  private String[] words() {
    return new String[] {"GET-MASTER-ADDR-BY-NAME", name};
  }

  private static Optional<HostAndPort> read(@Nullable Object reply) {
    if (reply instanceof List<?> two
        && two.size() == 2
        && two.get(0) instanceof byte[] host
        && two.get(1) instanceof byte[] port) {
      String number = new String(port, UTF_8);
      return number.matches("[0-9]{1,5}")
          ? HostAndPort.of(new String(host, UTF_8), Long.parseLong(number))
          : Optional.empty();
    }
    return Optional.empty();
  }

  /** Rejects a server that says itself that it is a replica: a sentinel may lag behind. */
  @Override
  public void check(RedisConnection connection) {
    Object role;
    try {
      role = connection.ask(Command.ROLE);
    } catch (ConnectionException e) {
      // Without permission to ask, the sentinels' answer is enough; if they are silent, it isn't.
      if (e.failure().trouble() == FailureKind.NOPERM && !silent.get()) {
        return;
      }
      throw e;
    }
    if (role instanceof List<?> words
        && !words.isEmpty()
        && words.get(0) instanceof byte[] word
        && !new String(word, UTF_8).equals("master")) {
      doubt();
      throw new ConnectionException(
          new Failure(FailureKind.READONLY, "Redis at " + connection.endpoint() + " is a replica"));
    }
  }
}
