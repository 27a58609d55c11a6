package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers the wishes of one request together: looks first whether one of them is known to be in
 * vain, takes what leases hold, and lets the others wait for one settle.
 *
 * <p>Safe for concurrent use.
 */
final class Acquirer implements Acquisition.Again {
  private final BucketCache entries;
  private final Channels lanes;
  private final CacheContext node;

  Acquirer(BucketCache entries, Channels lanes, CacheContext node) {
    this.entries = entries;
    this.lanes = lanes;
    this.node = node;
  }

  CompletionStage<List<Optional<Grant>>> take(List<BucketRequest> wishes, long now) {
    List<ActiveBucket> asked = new ArrayList<>(wishes.size());
    List<Optional<Grant>> refusals = new ArrayList<>(wishes.size());
    boolean inVain = false;
    int takes = 0;
    for (BucketRequest wish : wishes) {
      ActiveBucket entry = entries.of(wish);
      asked.add(entry);
      Grant refusal = wish.peek() ? null : entry.refuse(wish, now);
      refusals.add(Optional.ofNullable(refusal));
      inVain |= refusal != null && !wish.policy().shadow();
      takes += wish.peek() ? 0 : 1;
    }
    Acquisition taking = new Acquisition(wishes, this);
    if (inVain) {
      takeNothing(taking, asked, refusals, now);
    } else {
      takeAll(taking, asked, now, takes == 1);
    }
    return takes == wishes.size() ? taking.result() : thenLook(taking, asked);
  }

  private static void takeNothing(
      Acquisition taking, List<ActiveBucket> asked, List<Optional<Grant>> refusals, long now) {
    for (int i = 0; i < asked.size(); i++) {
      BucketRequest wish = taking.wish(i);
      ActiveBucket entry = asked.get(i);
      if (!wish.peek()) {
        entry.note(wish);
      }
      taking.answer(i, refusals.get(i).or(() -> Optional.of(entry.passedOver(wish.terms(), now))));
    }
  }

  private void takeAll(Acquisition taking, List<ActiveBucket> asked, long now, boolean alone) {
    AfterUnlock after = new AfterUnlock();
    for (int i = 0; i < asked.size(); i++) {
      BucketRequest wish = taking.wish(i);
      if (wish.peek()) {
        taking.answer(i, Optional.empty()); // later
        continue;
      }
      ActiveBucket entry = asked.get(i);
      Grant answer = entry.spend(wish, now);
      if (answer == null) {
        entry.note(wish);
        answer = entry.refuse(wish, now);
      }
      answer = answer == null && alone ? borrow(entry, wish, now) : answer;
      if (answer != null) {
        taking.answer(i, Optional.of(answer), FastPath.endsAt(answer, now));
      } else {
        await(new WaitingRequest(taking, i, now), entry, now, after);
      }
    }
    lanes.pump();
    after.run();
  }

  @Override
  public long now() {
    return node.clock().micros();
  }

  @Override
  public void take(Acquisition taking, int index, Grant ended) {
    BucketRequest wish = taking.wish(index);
    long now = now();
    ActiveBucket entry = entries.of(wish);
    while (!entry.putBack(ended.stamp(), ended.permits(), now)) {
      entry = entries.of(wish); // that one was evicted meanwhile
    }
    Grant spent = entry.take(wish, now);
    if (spent != null) {
      taking.answer(index, Optional.of(spent), FastPath.endsAt(spent, now));
      return;
    }
    AfterUnlock after = new AfterUnlock();
    await(new WaitingRequest(taking, index, now), entry, now, after);
    lanes.pump();
    after.run();
  }

  private @Nullable Grant borrow(ActiveBucket entry, BucketRequest wish, long now) {
    Grant lent = wish.policy().overshoot() == 0 ? null : entry.borrow(wish, now);
    if (lent != null && entry.wantsToAsk()) {
      lanes.of(entry.bucket()).requestTerms(entry);
    }
    return lent;
  }

  private void await(WaitingRequest waiter, ActiveBucket first, long now, AfterUnlock after) {
    Channel lane = lanes.of(first.bucket());
    if (!lane.open()) {
      after.answer(waiter, Optional.empty());
      return;
    }
    ActiveBucket entry = first;
    while (!entry.enter(waiter, now, after)) {
      entry = entries.of(waiter.wish()); // that one was evicted meanwhile
    }
    if (entry.wantsToAsk()) {
      lane.requestTerms(entry);
    }
  }

  private CompletionStage<List<Optional<Grant>>> thenLook(
      Acquisition taking, List<ActiveBucket> asked) {
    return taking.result().thenCompose(answers -> look(taking, answers, asked));
  }

  private CompletableFuture<List<Optional<Grant>>> look(
      Acquisition before, List<Optional<Grant>> answers, List<ActiveBucket> asked) {
    Acquisition taking = new Acquisition(before.wishes(), this);
    long now = node.clock().micros();
    for (int i = 0; i < asked.size(); i++) {
      if (!taking.wish(i).peek()) {
        taking.answer(i, answers.get(i));
        continue;
      }
      Grant known = known(taking, i, answers, asked.get(i), now);
      if (known != null) {
        taking.answer(i, Optional.of(known));
      } else {
        lanes.of(asked.get(i).bucket()).requestTerms(new PeekClaim(asked.get(i), taking, i));
      }
    }
    lanes.pump();
    return taking.result();
  }

  /** The answer to a look by what is known. */
  private @Nullable Grant known(
      Acquisition taking, int index, List<Optional<Grant>> answers, ActiveBucket entry, long now) {
    BucketRequest look = taking.wish(index);
    boolean alone = true;
    for (int i = 0; i < answers.size(); i++) {
      if (!taking.wish(i).peek() && taking.wish(i).bucket().equals(look.bucket())) {
        alone = false;
        Optional<Grant> own = answers.get(i);
        if (own.isPresent() && (own.get().permits() > 0 || own.get().retry() == 0)) {
          return entry.passedOver(look.terms(), now);
        }
      }
    }
    return alone ? entry.peek(look.terms(), now, node.pace().flush()) : entry.nominal(look, now);
  }
}
