package io.weir.internal.cassandra;

import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Executes the claims on a bucket in rounds: claims that arrive during a round share the next one.
 *
 * <p>Safe for concurrent use.
 */
abstract class BatchingBucket {
  private static final int MAX_CLAIMS = 64;

  private List<Pending> queue = new ArrayList<>();
  private boolean running;
  private long countsUntil;
  private volatile boolean discarded;

  /** Returns when this object stops being useful, by the store's clock. */
  final synchronized long countsUntil() {
    return countsUntil;
  }

  /** Keeps this object useful until at least then. */
  final synchronized void countsUntil(long micros) {
    countsUntil = Math.max(countsUntil, micros);
  }

  /** Returns whether a new object has to replace this one. */
  final boolean isDiscarded() {
    return discarded;
  }

  /** Notes that this object's knowledge is out of date. */
  final void discard() {
    discarded = true;
  }

  /** Returns the number of entries in its collections. */
  abstract int entries();

  /** Executes claims in order; completes exceptionally if the outcome is unknown. */
  final CompletionStage<List<Grant>> execute(List<Claim> claims) {
    Pending pending = new Pending(claims, new CompletableFuture<>());
    synchronized (this) {
      queue.add(pending);
      if (running) {
        return pending.done;
      }
      running = true;
    }
    begin();
    return pending.done;
  }

  private void begin() {
    List<Pending> pending;
    synchronized (this) {
      int taken = 0;
      int claims = 0;
      while (taken < queue.size() && (taken == 0 || claims < MAX_CLAIMS)) {
        claims += queue.get(taken++).claims.size();
      }
      pending = List.copyOf(queue.subList(0, taken));
      queue = new ArrayList<>(queue.subList(taken, queue.size()));
    }
    List<Claim> claims = new ArrayList<>();
    pending.forEach(each -> claims.addAll(each.claims));
    Round round = round(claims);
    round.pending = pending;
    round.attempt();
  }

  private void end() {
    boolean more;
    synchronized (this) {
      more = !queue.isEmpty();
      running = more;
    }
    if (more) {
      begin();
    }
  }

  /** Makes a round for claims; no other is under way. */
  abstract Round round(List<Claim> claims);

  /** The claims of one call, in order. */
  private record Pending(List<Claim> claims, CompletableFuture<List<Grant>> done) {}

  /** Executes claims together, one step after the other. */
  abstract class Round {
    private List<Pending> pending = List.of();

    /** Begins, again and again until it is done. */
    final void attempt() {
      guard(this::tryOnce);
    }

    /** Makes one attempt; ends with {@link #granted} or {@link #failed}, or starts another. */
    abstract void tryOnce();

    /** Takes a step; even if it throws, the next round begins. */
    final void guard(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException | Error broken) {
        failed(broken);
      }
    }

    /** Continues with an answer, or fails. */
    final <T> void answered(CompletionStage<T> answer, Step<T> next) {
      answer.whenComplete(
          (value, failure) ->
              guard(
                  () -> {
                    if (failure != null) {
                      fail(cause(failure));
                    } else {
                      next.go(value);
                    }
                  }));
    }

    /** Cleans up after a failure, and ends with {@link #failed}. */
    abstract void fail(Throwable failure);

    private Throwable cause(Throwable failure) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
      return cause == null ? failure : cause;
    }

    /** Ends with a grant for each claim. */
    final void granted(List<Grant> grants) {
      List<Pending> ended = pending;
      pending = List.of();
      try {
        int at = 0;
        for (Pending each : ended) {
          each.done.complete(grants.subList(at, at + each.claims.size()));
          at += each.claims.size();
        }
      } finally {
        endOnce(ended);
      }
    }

    final void failed(Throwable failure) {
      List<Pending> ended = pending;
      pending = List.of();
      try {
        ended.forEach(each -> each.done.completeExceptionally(failure));
      } finally {
        endOnce(ended);
      }
    }

    private void endOnce(List<Pending> ended) {
      if (!ended.isEmpty()) {
        end();
      }
    }
  }

  interface Step<T> {
    void go(T answer);
  }
}
