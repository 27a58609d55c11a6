package io.weir.internal.postgres;

import io.weir.store.DataLossException;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Collects the answers to the claims of one call.
 *
 * <p>Safe for concurrent use.
 */
final class GrantedClaims {
  private final CompletableFuture<List<Optional<Grant>>> all = new CompletableFuture<>();
  private final List<Optional<Grant>> grants;
  private int missing;
  private boolean any;
  private @Nullable Throwable failure;

  GrantedClaims(int claims) {
    grants = new ArrayList<>(Collections.nCopies(claims, Optional.empty()));
    missing = claims;
  }

  /** Completes when all claims have been granted or have failed. */
  CompletableFuture<List<Optional<Grant>>> all() {
    return all;
  }

  void granted(List<Integer> numbers, List<Grant> answers) {
    synchronized (this) {
      for (int i = 0; i < numbers.size(); i++) {
        grants.set(numbers.get(i), Optional.of(answers.get(i)));
      }
      any = true;
    }
    ended(numbers.size());
  }

  void failed(int claims, Throwable why) {
    synchronized (this) {
      if (!(failure instanceof DataLossException)) {
        failure = why;
      }
    }
    ended(claims);
  }

  /** Leaves claims without a grant: their bucket alone can't be counted. */
  void rejected(int claims) {
    ended(claims);
  }

  private void ended(int claims) {
    Throwable why;
    boolean granted;
    synchronized (this) {
      missing -= claims;
      if (missing > 0) {
        return;
      }
      why = failure;
      granted = any;
    }
    if (why instanceof DataLossException || why != null && !granted) {
      all.completeExceptionally(why);
    } else {
      all.complete(grants);
    }
  }
}
