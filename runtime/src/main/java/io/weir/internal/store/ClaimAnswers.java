package io.weir.internal.store;

import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.DataLossException;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Collects the answers to the claims of one call, of which those on the same bucket are executed
 * together. The call fails if the data has another epoch, or if something failed and nothing was
 * granted.
 *
 * <p>Safe for concurrent use.
 */
public final class ClaimAnswers {
  private final CompletableFuture<List<Optional<Grant>>> all = new CompletableFuture<>();
  private final List<Optional<Grant>> grants;
  private int missing;
  private boolean isAnyGranted;
  private @Nullable Throwable failure;

  private ClaimAnswers(int claims) {
    grants = new ArrayList<>(Collections.nCopies(claims, Optional.empty()));
    missing = claims;
  }

  /**
   * Has claims executed by bucket.
   *
   * @return completes when all claims have been granted or have failed
   */
  public static CompletionStage<List<Optional<Grant>>> of(List<Claim> claims, Executor executor) {
    ClaimAnswers answers = new ClaimAnswers(claims.size());
    Map<BucketId, List<Integer>> byBucket = new LinkedHashMap<>();
    for (int i = 0; i < claims.size(); i++) {
      byBucket.computeIfAbsent(claims.get(i).bucket(), any -> new ArrayList<>()).add(i);
    }
    byBucket.forEach(
        (bucket, numbers) ->
            executor.execute(
                bucket, numbers.stream().map(claims::get).toList(), answers.new OfBucket(numbers)));
    if (claims.isEmpty()) {
      answers.all.complete(List.of());
    }
    return answers.all;
  }

  private void ended(int claims) {
    Throwable why;
    synchronized (this) {
      missing -= claims;
      if (missing > 0) {
        return;
      }
      why = failure instanceof DataLossException || !isAnyGranted ? failure : null;
    }
    if (why == null) {
      all.complete(grants);
    } else {
      all.completeExceptionally(why);
    }
  }

  /** Executes the claims on one bucket. */
  public interface Executor {
    /**
     * Executes claims on one bucket in order, now or later.
     *
     * @param answer called once
     */
    void execute(BucketId bucket, List<Claim> claims, OfBucket answer);
  }

  /** Receives the answer to the claims on one bucket. */
  public final class OfBucket {
    private final List<Integer> numbers;

    private OfBucket(List<Integer> numbers) {
      this.numbers = numbers;
    }

    /** Answers each claim, in order. */
    public void granted(List<Grant> answers) {
      synchronized (ClaimAnswers.this) {
        for (int i = 0; i < numbers.size(); i++) {
          grants.set(numbers.get(i), Optional.of(answers.get(i)));
        }
        isAnyGranted = true;
      }
      ended(numbers.size());
    }

    /** Fails the claims for a reason, for which the call may fail. */
    public void failed(Throwable why) {
      synchronized (ClaimAnswers.this) {
        if (!(failure instanceof DataLossException)) {
          failure = why;
        }
      }
      ended(numbers.size());
    }

    /** Leaves the claims without a grant: their bucket alone can't be counted. */
    public void rejected() {
      ended(numbers.size());
    }
  }
}
