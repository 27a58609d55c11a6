package io.weir.internal.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Caches the keys of an issuer. They are read again if they are an hour old when one is needed, and
 * for an unknown key, but at most once a minute and never while a request waits: the first request
 * with a new signing key is refused; later ones pass.
 *
 * <p>Safe for concurrent use.
 */
final class JwtKeys implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long MAX_AGE_NANOS = Duration.ofHours(1).toNanos();

  private final JwtKeySource source;
  private final Ticker ticker;
  private final ExecutorService thread;
  private final AtomicLong lastReadNanos;
  private volatile JWKSet keys = new JWKSet();

  /** Incremented with each new set, so that JWTs of old keys are verified again. */
  private final AtomicLong generation = new AtomicLong();

  JwtKeys(JwtKeySource source, Ticker ticker) {
    this.source = source;
    this.ticker = ticker;
    this.lastReadNanos = new AtomicLong(ticker.nanoTime() - MAX_AGE_NANOS);
    this.thread =
        new RejectingPool(DaemonThreadFactory.named("weir-jwt-keys"), 1, 1, Duration.ofMinutes(1));
  }

  /** Reads the keys in the calling thread; if that fails, they are read again in a minute. */
  void readFirst() {
    lastReadNanos.set(ticker.nanoTime());
    read();
  }

  /**
   * Finds a key by its name.
   *
   * @param name the name in the JWT; null for the only key of the issuer
   * @return empty if there is no such key, or several and no name
   */
  Optional<JWK> find(@Nullable String name) {
    if (ticker.nanoTime() - lastReadNanos.get() >= MAX_AGE_NANOS) {
      readLater();
    }
    List<JWK> all = keys.getKeys();
    JWK found = name == null ? (all.size() == 1 ? all.get(0) : null) : keys.getKeyByKeyId(name);
    if (found == null) {
      readLater();
    }
    return Optional.ofNullable(found);
  }

  /** Returns a number that changes with the keys. */
  long generation() {
    return generation.get();
  }

  boolean areRead() {
    return generation() > 0;
  }

  private void readLater() {
    long last = lastReadNanos.get();
    long now = ticker.nanoTime();
    if (now - last >= PAUSE_NANOS && lastReadNanos.compareAndSet(last, now)) {
      try {
        thread.execute(this::read);
      } catch (RejectedExecutionException notNow) {
        // a later request starts it
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
          "weir.server.jwt.keys can't be read, so the keys that were read last stay in use: "
              + failed.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops reading. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
