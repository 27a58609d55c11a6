package io.weir.bucket4j;

import io.github.bucket4j.TokensInheritanceStrategy;
import io.github.bucket4j.VerboseResult;
import io.github.bucket4j.distributed.AsyncVerboseBucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.concurrent.CompletableFuture;

/**
 * Executes one claim by commands of Bucket4j: usually a single one, since each returns the state of
 * the bucket after it.
 *
 * <p>Used for one claim only.
 */
final class BucketCall {
  private final AsyncVerboseBucket bucket;
  private final Claim claim;
  private final BucketConfig config;

  BucketCall(AsyncVerboseBucket bucket, Claim claim, BucketConfig config) {
    this.bucket = bucket;
    this.claim = claim;
    this.config = config;
  }

  CompletableFuture<Grant> run() {
    return giveBack()
        .thenCompose(credited -> pay())
        .thenCompose(paid -> claim.needed() > 0 ? take(true) : peek());
  }

  private CompletableFuture<?> giveBack() {
    if (claim.giveBacks().isEmpty()) {
      return CompletableFuture.completedFuture(claim);
    }
    return bucket.getAvailableTokens().thenCompose(seen -> add(creditable(answer(seen))));
  }

  private long creditable(BucketReply answer) {
    return claim.giveBacks().stream().mapToLong(answer::creditable).sum();
  }

  private CompletableFuture<?> add(long tokens) {
    return tokens == 0 ? CompletableFuture.completedFuture(claim) : bucket.addTokens(tokens);
  }

  private CompletableFuture<?> pay() {
    return claim.debt() == 0
        ? CompletableFuture.completedFuture(claim)
        : bucket.consumeIgnoringRateLimits(claim.debt());
  }

  /** Peeks with the claim's own limit, without changing the bucket's. */
  private CompletableFuture<Grant> peek() {
    return bucket.getAvailableTokens().thenApply(seen -> grant(0, seen));
  }

  private CompletableFuture<Grant> take(boolean mayReplace) {
    return consume()
        .thenCompose(
            taken -> {
              if (mayReplace && !config.equalTo(taken.getConfiguration())) {
                return add(taken.getValue()).thenCompose(undone -> replace());
              }
              return taken.getValue() < claim.atLeast() ? undo(taken) : more(taken);
            });
  }

  private CompletableFuture<VerboseResult<Long>> consume() {
    long needed = claim.needed();
    return claim.atLeast() == needed
        ? bucket.tryConsume(needed).thenApply(done -> done.map(all -> all ? needed : 0L))
        : bucket.tryConsumeAsMuchAsPossible(needed);
  }

  // Keeps the tokens, up to the new burst: other strategies may create tokens when limits go up and
  // down. Replaces once only: if another node has set its limit again by then, that one applies.
  private CompletableFuture<Grant> replace() {
    return bucket
        .replaceConfiguration(config.configuration(), TokensInheritanceStrategy.AS_IS)
        .thenCompose(replaced -> take(false));
  }

  private CompletableFuture<Grant> undo(VerboseResult<Long> taken) {
    return taken.getValue() == 0
        ? CompletableFuture.completedFuture(grant(0, taken))
        : bucket.addTokens(taken.getValue()).thenApply(undone -> grant(0, undone));
  }

  private CompletableFuture<Grant> more(VerboseResult<Long> taken) {
    long met = taken.getValue();
    long extra = Math.min(claim.extra(), answer(taken).left() / 8);
    if (met < claim.needed() || extra == 0) {
      return CompletableFuture.completedFuture(grant(met, taken));
    }
    return bucket
        .tryConsumeAsMuchAsPossible(extra)
        .thenApply(added -> grant(met + added.getValue(), added));
  }

  private Grant grant(long permits, VerboseResult<?> result) {
    return answer(result).grant(permits, claim.atLeast());
  }

  private BucketReply answer(VerboseResult<?> result) {
    return BucketReply.of(config, result);
  }
}
