package io.weir.internal.postgres;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queues operations by bucket, so that those that come while a bucket is under way share its next
 * turn, and no two statements of this node replace the same row.
 *
 * <p>Safe for concurrent use.
 */
final class OperationQueue {
  /** The most buckets of one statement. */
  static final int MAX_BUCKETS = 256;

  /** The most operations on one bucket in one turn. */
  private static final int MAX_OPERATIONS = 64;

  private final Map<ByteBuffer, Waiting> buckets = new HashMap<>();
  private final ArrayDeque<Waiting> ready = new ArrayDeque<>();

  synchronized void add(byte[] key, BucketOperation operation) {
    Waiting bucket = buckets.computeIfAbsent(ByteBuffer.wrap(key), any -> new Waiting(key));
    bucket.operations.add(operation);
    if (!bucket.underWay && bucket.operations.size() == 1) {
      ready.add(bucket);
    }
  }

  /** Takes the next buckets of one epoch; empty if there are none. */
  synchronized List<Turn> take() {
    Waiting first = ready.peek();
    if (first == null) {
      return List.of();
    }
    long epoch = first.operations.getFirst().epoch();
    List<Turn> turns = new ArrayList<>();
    Iterator<Waiting> all = ready.iterator();
    while (all.hasNext() && turns.size() < MAX_BUCKETS) {
      Waiting bucket = all.next();
      if (bucket.operations.getFirst().epoch() == epoch) {
        all.remove();
        bucket.underWay = true;
        turns.add(new Turn(bucket.key, bucket.take(epoch)));
      }
    }
    return turns;
  }

  /** Ends turns, so that what came meanwhile has its own. */
  synchronized void endTurns(List<Turn> turns) {
    turns.forEach(each -> endTurn(each.key()));
  }

  synchronized void endTurn(byte[] bucketKey) {
    ByteBuffer key = ByteBuffer.wrap(bucketKey);
    Waiting bucket = buckets.get(key);
    if (bucket != null) {
      bucket.underWay = false;
      if (bucket.operations.isEmpty()) {
        buckets.remove(key);
      } else {
        ready.add(bucket);
      }
    }
  }

  /**
   * The operations on a bucket that are executed together.
   *
   * @param operations in order
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Turn(byte[] key, List<BucketOperation> operations) {
    long epoch() {
      return operations.get(0).epoch();
    }
  }

  private static final class Waiting {
    private final byte[] key;
    private final ArrayDeque<BucketOperation> operations = new ArrayDeque<>();
    private boolean underWay;

    Waiting(byte[] key) {
      this.key = key;
    }

    List<BucketOperation> take(long epoch) {
      List<BucketOperation> taken = new ArrayList<>();
      @Nullable BucketOperation next = operations.peek();
      while (next != null && next.epoch() == epoch && taken.size() < MAX_OPERATIONS) {
        taken.add(operations.remove());
        next = operations.peek();
      }
      return taken;
    }
  }
}
