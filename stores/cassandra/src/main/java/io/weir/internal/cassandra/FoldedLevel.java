package io.weir.internal.cassandra;

import io.weir.internal.store.ExecutedClaims;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A level after all claims that were appended to it.
 *
 * @param bytes its state; null if it is fresh
 * @param expiresAt until when it counts, in microseconds; 0 if nothing was appended
 * @param executed the appended claims, to be noted with the new state
 * @param grants the answers to them, by writer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FoldedLevel(
    byte @Nullable [] bytes,
    long expiresAt,
    List<LevelRows.Executed> executed,
    Map<UUID, List<Grant>> grants) {
  private static final Comparator<Waiting> ORDER =
      Comparator.comparingLong((Waiting each) -> each.claims.time())
          .thenComparing(each -> each.row.writer());

  /**
   * Executes appended claims in the order of their times.
   *
   * @throws BucketFormatException if the state or a claim can't be read
   */
  static FoldedLevel of(BucketArithmetic arithmetic, LevelRows.Level level, BucketId bucket) {
    byte[] bytes = level.isFresh() ? null : level.state();
    long expiresAt = 0;
    List<LevelRows.Executed> executed = new ArrayList<>();
    Map<UUID, List<Grant>> grants = new HashMap<>();
    for (Waiting each : waiting(level, bucket)) {
      ExecutedClaims step =
          ExecutedClaims.of(arithmetic, bytes, each.claims.claims(), each.claims.time());
      bytes = step.bytes();
      expiresAt = step.expiresAt();
      List<Grant> answers = step.grants();
      long stamp = answers.isEmpty() ? 0 : answers.get(answers.size() - 1).stamp();
      executed.add(each.row.executed(stamp));
      grants.put(each.row.writer(), answers);
    }
    return new FoldedLevel(bytes, expiresAt, executed, grants);
  }

  private static List<Waiting> waiting(LevelRows.Level level, BucketId bucket) {
    List<Waiting> all = new ArrayList<>();
    for (LevelRows.AppenderRow row : level.waiting()) {
      byte[] claims = row.claims();
      if (claims != null) {
        all.add(new Waiting(row, AppendedClaims.fromBytes(bucket, claims)));
      }
    }
    all.sort(ORDER);
    return all;
  }

  private record Waiting(LevelRows.AppenderRow row, AppendedClaims claims) {}
}
