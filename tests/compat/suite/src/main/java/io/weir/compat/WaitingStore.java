package io.weir.compat;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A store that answers only when a test lets it. Safe for concurrent use. */
public final class WaitingStore implements PermitStore {
  private record Asked(List<Claim> claims, CompletableFuture<List<Optional<Grant>>> answer) {}

  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private final Map<BucketId, byte[]> buckets = new HashMap<>();

  /** For a test. */
  public WaitingStore() {}

  @Override
  public CompletionStage<List<Optional<Grant>>> execute(List<Claim> claims) {
    CompletableFuture<List<Optional<Grant>>> answer = new CompletableFuture<>();
    asked.add(new Asked(List.copyOf(claims), answer));
    return answer;
  }

  /**
   * Returns whether claims wait for an answer.
   *
   * @return true from a call to its answer
   */
  public boolean isAsked() {
    return !asked.isEmpty();
  }

  /** Answers all claims that wait, in the thread of the test. */
  public void answer() {
    for (Asked each = asked.poll(); each != null; each = asked.poll()) {
      List<Optional<Grant>> grants = new ArrayList<>();
      each.claims.forEach(claim -> grants.add(Optional.of(grant(claim))));
      each.answer.complete(grants);
    }
  }

  private synchronized Grant grant(Claim claim) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    BucketUpdate update =
        BucketArithmetic.exact().execute(buckets.get(claim.bucket()), claim, micros);
    if (update.bytes() == null) {
      buckets.remove(claim.bucket());
    } else {
      buckets.put(claim.bucket(), update.bytes());
    }
    return update.grant();
  }

  @Override
  public synchronized long size() {
    return buckets.size();
  }

  @Override
  public void close() {}
}
