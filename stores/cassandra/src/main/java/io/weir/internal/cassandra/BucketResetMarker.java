package io.weir.internal.cassandra;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Marks a bucket of sums as forgotten by a row with a time. Rows written before it no longer count,
 * and each node that reads it begins its own sums anew. Deleting the rows isn't enough: the next
 * write of each node would bring its sum back.
 */
final class BucketResetMarker {
  static final UUID WRITER = new UUID(0, 1);

  /** After all slots, so that every reading from some slot on includes it. */
  private static final long SLOT = Long.MAX_VALUE;

  private BucketResetMarker() {}

  /**
   * Forgets a bucket.
   *
   * @param seconds how long a charge to it may count
   * @return the time at which it was forgotten, once that is written
   */
  static CompletionStage<Long> forget(
      BucketTable table, StoreClock clock, String name, int seconds) {
    return table
        .readSums(name, 0)
        .thenCompose(
            read -> {
              read.rows().forEach(row -> clock.follow(row.writtenAt()));
              long at = clock.timestamp();
              var row = new BucketTable.SumWrite(SLOT, 0, 0, 0, seconds);
              return table.writeSums(name, WRITER, List.of(row), at).thenApply(any -> at);
            });
  }
}
