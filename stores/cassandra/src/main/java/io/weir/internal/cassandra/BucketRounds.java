package io.weir.internal.cassandra;

import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * A bucket as this node knows it, whose claims are executed in rounds: those that come up while a
 * round is under way share the next one.
 *
 * <p>Safe for concurrent use.
 */
abstract class BucketRounds {
  private static final int MOST_CLAIMS = 64;

  private List<Pending> queue = new ArrayList<>();
  private boolean running;
  private long countsUntil;
  private volatile boolean discarded;

  /** Until when what is known here may be of use, by the store's clock. */
  final synchronized long countsUntil() {
    return countsUntil;
  }

  /** Something is of use until then. */
  final synchronized void countsUntil(long micros) {
    countsUntil = Math.max(countsUntil, micros);
  }

  /** Whether a new object has to take the place of this one. */
  final boolean isDiscarded() {
    return discarded;
  }

  /** What this knows is of no use any more. */
  final void discard() {
    discarded = true;
  }

  /** How many entries it keeps in collections. */
  abstract int entries();

  /** Executes claims in their order; completed exceptionally if it isn't known whether. */
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
      while (taken < queue.size() && (taken == 0 || claims < MOST_CLAIMS)) {
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

  /** A round for claims, of which none is under way. */
  abstract Round round(List<Claim> claims);

  /**
   * Claims of one call.
   *
   * @param claims in their order
   * @param done their grants
   */
  private record Pending(List<Claim> claims, CompletableFuture<List<Grant>> done) {}

  /** Claims that are executed together. One step follows another, so no two are at a time. */
  abstract class Round {
    private List<Pending> pending = List.of();

    /** Begins, and begins again. */
    final void attempt() {
      guard(this::tryOnce);
    }

    /** One attempt; ends with {@link #granted} or {@link #failed}, or is followed by another. */
    abstract void tryOnce();

    /** Takes a step; if something is wrong here, the next round begins all the same. */
    final void guard(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException | Error broken) {
        failed(broken);
      }
    }

    /** Goes on with an answer, or fails. */
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

    /** Puts right what a failure left behind, and ends with {@link #failed}. */
    abstract void fail(Throwable failure);

    private Throwable cause(Throwable failure) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
      return cause == null ? failure : cause;
    }

    /** Ends with a grant for each claim. */
    final void granted(List<Grant> grants) {
      List<Pending> told = pending;
      pending = List.of();
      try {
        int at = 0;
        for (Pending each : told) {
          each.done.complete(grants.subList(at, at + each.claims.size()));
          at += each.claims.size();
        }
      } finally {
        endOnce(told);
      }
    }

    /** Ends without grants. */
    final void failed(Throwable failure) {
      List<Pending> told = pending;
      pending = List.of();
      try {
        told.forEach(each -> each.done.completeExceptionally(failure));
      } finally {
        endOnce(told);
      }
    }

    private void endOnce(List<Pending> told) {
      if (!told.isEmpty()) {
        end();
      }
    }
  }

  /** What to do with an answer. */
  interface Step<T> {
    /** Does it. */
    void go(T answer);
  }
}
