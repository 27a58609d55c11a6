package io.weir.internal.region;

import io.weir.internal.extension.NonThrowingLog;
import io.weir.store.BucketHasher;
import io.weir.store.LeasingStore;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Keeps this region's mark in its own store, by which other regions know whose store it is. Warns
 * once if the store has the mark of another region, or of another secret.
 *
 * <p>It is kept again each ten seconds, since a store that loses its data loses it as well. A store
 * that can't keep one, or is away, stops nothing.
 *
 * <p>Safe for concurrent use.
 */
final class OwnMark {
  /** Microseconds from one time to the next once it is kept. */
  static final long INTERVAL = 10_000_000;

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final LeasingStore store;
  private final String region;
  private final String mark;
  private final String harm;
  private final Runnable onceKnown;
  private volatile boolean isKnown;
  private volatile Optional<String> trouble = Optional.empty();
  private long keptAt; // used by the thread that keeps it alone

  /**
   * Keeps nothing yet.
   *
   * @param store the own region's
   * @param region its name
   * @param secret the value of {@code weir.secret}, which all regions share
   * @param harm what another mark prevents: the beginning of the warning
   * @param onceKnown runs whenever the mark is found after it wasn't, on the thread of the answer
   */
  OwnMark(LeasingStore store, String region, String secret, String harm, Runnable onceKnown) {
    this.store = store;
    this.region = region;
    this.mark = of(region, secret);
    this.harm = harm;
    this.onceKnown = onceKnown;
  }

  /** Returns the mark of a region's store. */
  static String of(String region, String secret) {
    return "region " + region + ", secret " + BucketHasher.unwarned(secret).fingerprint();
  }

  /** Keeps it, unless that is known to have been done less than ten seconds ago. */
  void keepIfDue(long now) {
    if (!isKnown || now - keptAt >= INTERVAL) {
      keptAt = now;
      keep();
    }
  }

  /** Keeps it. Waits for nothing. */
  void keep() {
    CompletionStage<Optional<String>> asked;
    try {
      asked = store.mark(Optional.of(mark));
    } catch (RuntimeException | LinkageError broken) {
      asked = CompletableFuture.failedStage(broken);
    }
    var unused =
        asked.whenComplete(
            (kept, failure) -> {
              if (kept != null) {
                learn(kept.orElse(mark));
              } else if (failure != null) {
                NonThrowingLog.log(
                    LOG, System.Logger.Level.DEBUG, "the mark of this region isn't kept", failure);
              }
            });
  }

  private void learn(String found) {
    boolean isOwn = found.equals(mark);
    boolean isNew = !isOwn && trouble.isEmpty();
    trouble = isOwn ? Optional.empty() : Optional.of(RegionReporter.otherStore(found, mark));
    boolean isFirst = isOwn && !isKnown;
    isKnown = isOwn;
    if (isFirst) {
      onceKnown.run();
    }
    if (isNew) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.WARNING,
          harm
              + ", since this node says it is in region "
              + region
              + ", but "
              + trouble.orElse("")
              + ". Give each region a name and a store of its own, and all the same weir.secret");
    }
  }

  /** Returns whether the store is known to have it. */
  boolean isKnown() {
    return isKnown;
  }

  /** Describes the other mark that was found last; empty if there was none. */
  Optional<String> trouble() {
    return trouble;
  }
}
