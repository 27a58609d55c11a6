package io.weir.internal.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer, in memory. They are read again every hour when somebody asks, and when
 * somebody shows an unknown key, but at most once a minute and never while a request waits: who
 * shows a key that is new is let in a moment later.
 *
 * <p>Safe for concurrent use.
 */
public final class JwtKeys implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long OLD_NANOS = Duration.ofHours(1).toNanos();

  private final JwtKeySource source;
  private final LongSupplier nanoTime;
  private final ExecutorService thread;
  private final AtomicLong askedAt;
  private volatile JWKSet keys = new JWKSet();

  /** Raised with each new set, so that what was verified by old keys is verified again. */
  private final AtomicLong generation = new AtomicLong();

  /**
   * Knows none until they are read.
   *
   * @param source where they come from
   * @param nanoTime a clock that doesn't jump
   */
  public JwtKeys(JwtKeySource source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
    this.askedAt = new AtomicLong(nanoTime.getAsLong() - OLD_NANOS);
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(1),
            task -> {
              Thread daemon = new Thread(task, "weir-jwt-keys");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /** Reads them in the thread of the caller; if that fails, it is tried again in a minute. */
  public void readFirst() {
    askedAt.set(nanoTime.getAsLong());
    read();
  }

  /**
   * The key of a name.
   *
   * @param name as the JWT says; nothing: the only key there is
   * @return nothing if there is none, or several for no name
   */
  Optional<JWK> find(@Nullable String name) {
    if (nanoTime.getAsLong() - askedAt.get() >= OLD_NANOS) {
      ask();
    }
    List<JWK> all = keys.getKeys();
    JWK found = name == null ? (all.size() == 1 ? all.get(0) : null) : keys.getKeyByKeyId(name);
    if (found == null) {
      ask();
    }
    return Optional.ofNullable(found);
  }

  /** Which keys these are: another number, other keys. */
  long generation() {
    return generation.get();
  }

  private void ask() {
    long last = askedAt.get();
    long now = nanoTime.getAsLong();
    if (now - last >= PAUSE_NANOS && askedAt.compareAndSet(last, now)) {
      try {
        thread.execute(this::read);
      } catch (RejectedExecutionException closedOrBusy) {
        // then the next one who asks
      }
    }
  }

  private void read() {
    try {
      keys = JWKSet.parse(source.read());
      generation.incrementAndGet();
    } catch (IOException | ParseException | RuntimeException failed) {
      LOG.log(
          Level.WARNING,
          "weir.server.jwt.keys can't be read, so those that were read last hold: "
              + failed.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads no more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
