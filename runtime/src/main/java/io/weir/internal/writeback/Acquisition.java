package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.channel.WaitingThread;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Collects the answers to the bucket requests of one request, some of which wait for the store.
 *
 * <p>Each was decided after the request arrived: from a lease at a time at which that lived, or by
 * the store. So the slots of some may have ended when the last is answered: their permits are spent
 * all the same.
 *
 * <p>Safe for concurrent use; each index is answered once.
 */
final class Acquisition {
  private final List<BucketRequest> requests;
  private final @Nullable WaitingThread caller;
  private final List<Optional<Grant>> answers;
  private final AtomicInteger open;
  private final CompletableFuture<List<Optional<Grant>>> result = new CompletableFuture<>();

  /**
   * Begins with nothing answered.
   *
   * @param caller null if no thread waits for it
   */
  Acquisition(List<BucketRequest> requests, @Nullable WaitingThread caller) {
    this.requests = requests;
    this.caller = caller;
    this.answers = new ArrayList<>(Collections.nCopies(requests.size(), Optional.empty()));
    this.open = new AtomicInteger(requests.size());
  }

  /** Returns whether answering a bucket request only wakes the thread that waits for it. */
  boolean onlyWakes() {
    return caller != null && requests.size() == 1;
  }

  List<BucketRequest> requests() {
    return requests;
  }

  BucketRequest request(int index) {
    return requests.get(index);
  }

  /** Answers a bucket request; with nothing if the store couldn't be asked. */
  void answer(int index, Optional<Grant> answer) {
    answers.set(index, answer);
    // Each index is written by one thread; the counter publishes it to the thread that finishes.
    if (open.decrementAndGet() == 0) {
      result.complete(Collections.unmodifiableList(answers));
      if (caller != null) {
        caller.done();
      }
    }
  }

  CompletableFuture<List<Optional<Grant>>> result() {
    return result;
  }
}
