package io.weir.internal.region;

import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Peeks at buckets in a store, past the cache of leases: no permit is taken, and no bucket is
 * loaded. Stateless.
 */
public final class StorePeek {
  /**
   * More than any window counts. A peek at a window by this limit leaves the difference to what is
   * used, also of a window that is used beyond its own limit.
   */
  public static final long MAX_COUNT = 1L << 40;

  private StorePeek() {}

  /**
   * Asks a store.
   *
   * @param peeks claims that {@linkplain Claim#peeks() only ask}; they needn't name a window
   * @param now microseconds since the epoch: the windows of the calendar that are named first. If
   *     the store's clock is in others, it is asked once more
   * @return an answer for each, in order; empty if there is none for that bucket. Completed
   *     exceptionally if the store fails or throws
   */
  public static CompletionStage<List<Optional<Grant>>> ask(
      PermitStore store, List<Claim> peeks, long now) {
    return execute(store, peeks, now)
        .thenCompose(
            grants -> {
              OptionalLong itsNow = clock(grants);
              return itsNow.isEmpty()
                  ? CompletableFuture.completedStage(grants)
                  : execute(store, peeks, itsNow.getAsLong());
            })
        .thenApply(
            grants ->
                grants.stream().map(each -> each.filter(it -> !it.isOfOtherWindow())).toList());
  }

  private static OptionalLong clock(List<Optional<Grant>> grants) {
    return grants.stream()
        .flatMap(Optional::stream)
        .filter(Grant::isOfOtherWindow)
        .mapToLong(Grant::storeClock)
        .findFirst();
  }

  private static CompletionStage<List<Optional<Grant>>> execute(
      PermitStore store, List<Claim> peeks, long now) {
    try {
      return store
          .execute(peeks.stream().map(each -> named(each, now)).toList())
          .thenApply(
              grants -> {
                if (grants.size() != peeks.size()) {
                  throw new IllegalStateException(
                      "it answered " + grants.size() + " of " + peeks.size() + " claims");
                }
                return grants;
              });
    } catch (RuntimeException | LinkageError broken) {
      return CompletableFuture.failedStage(broken);
    }
  }

  private static Claim named(Claim peek, long now) {
    CalendarWindow windows = peek.bucket().spec().calendar().orElse(null);
    return windows == null
        ? peek
        : peek.inWindow(Math.max(0, windows.opens(now)), windows.closes(now));
  }
}
