package io.weir.internal.cassandra;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * How a bucket of sums is forgotten: by a row that says when. What was written before no longer
 * counts, and each node that reads it begins its own sums anew; were the rows only deleted, the
 * next write of each node would bring its sum back.
 */
final class Forgetting {
  /** Whose row it is. */
  static final UUID WRITER = new UUID(0, 1);

  /** Behind all slots, so that whoever reads from a slot on reads it too. */
  private static final long SLOT = Long.MAX_VALUE;

  private Forgetting() {}

  /**
   * Forgets a bucket.
   *
   * @param seconds for how long anything counts in it
   * @return when it was forgotten, once that is written
   */
  static CompletionStage<Long> forget(Table table, StoreClock clock, String name, int seconds) {
    return table
        .readSums(name, 0)
        .thenCompose(
            read -> {
              read.rows().forEach(row -> clock.follow(row.writtenAt()));
              long at = clock.timestamp();
              var row = new Table.SumWrite(SLOT, 0, 0, 0, seconds);
              return table.writeSums(name, WRITER, List.of(row), at).thenApply(any -> at);
            });
  }
}
