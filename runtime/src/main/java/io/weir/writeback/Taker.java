package io.weir.writeback;

import io.weir.store.Grant;
import io.weir.store.Wish;
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
final class Taker implements Taking.Again {
  private final Entries entries;
  private final Lanes lanes;
  private final Node node;

  Taker(Entries entries, Lanes lanes, Node node) {
    this.entries = entries;
    this.lanes = lanes;
    this.node = node;
  }

  CompletionStage<List<Optional<Grant>>> take(List<Wish> wishes, long now) {
    List<Entry> asked = new ArrayList<>(wishes.size());
    List<Optional<Grant>> refusals = new ArrayList<>(wishes.size());
    boolean inVain = false;
    int takes = 0;
    for (Wish wish : wishes) {
      Entry entry = entries.of(wish);
      asked.add(entry);
      Grant refusal = wish.looks() ? null : entry.refuse(wish, now);
      refusals.add(Optional.ofNullable(refusal));
      inVain |= refusal != null && !wish.policy().shadow();
      takes += wish.looks() ? 0 : 1;
    }
    Taking taking = new Taking(wishes, this);
    if (inVain) {
      takeNothing(taking, asked, refusals, now);
    } else {
      takeAll(taking, asked, now, takes == 1);
    }
    return takes == wishes.size() ? taking.result() : thenLook(taking, asked);
  }

  private static void takeNothing(
      Taking taking, List<Entry> asked, List<Optional<Grant>> refusals, long now) {
    for (int i = 0; i < asked.size(); i++) {
      Wish wish = taking.wish(i);
      Entry entry = asked.get(i);
      if (!wish.looks()) {
        entry.note(wish);
      }
      taking.answer(i, refusals.get(i).or(() -> Optional.of(entry.passedOver(wish.offer(), now))));
    }
  }

  private void takeAll(Taking taking, List<Entry> asked, long now, boolean alone) {
    Afterwards after = new Afterwards();
    for (int i = 0; i < asked.size(); i++) {
      Wish wish = taking.wish(i);
      if (wish.looks()) {
        taking.answer(i, Optional.empty()); // later
        continue;
      }
      Entry entry = asked.get(i);
      Grant answer = entry.spend(wish, now);
      if (answer == null) {
        entry.note(wish);
        answer = entry.refuse(wish, now);
      }
      answer = answer == null && alone ? borrow(entry, wish, now) : answer;
      if (answer != null) {
        taking.answer(i, Optional.of(answer), Answers.endsAt(answer, now));
      } else {
        await(new Waiter(taking, i, now), entry, now, after);
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
  public void take(Taking taking, int index, Grant ended) {
    Wish wish = taking.wish(index);
    long now = now();
    Entry entry = entries.of(wish);
    while (!entry.putBack(ended.stamp(), ended.permits(), now)) {
      entry = entries.of(wish); // that one was evicted meanwhile
    }
    Grant spent = entry.take(wish, now);
    if (spent != null) {
      taking.answer(index, Optional.of(spent), Answers.endsAt(spent, now));
      return;
    }
    Afterwards after = new Afterwards();
    await(new Waiter(taking, index, now), entry, now, after);
    lanes.pump();
    after.run();
  }

  private @Nullable Grant borrow(Entry entry, Wish wish, long now) {
    Grant lent = wish.policy().overshoot() == 0 ? null : entry.borrow(wish, now);
    if (lent != null && entry.wantsToAsk()) {
      lanes.of(entry.bucket()).offer(entry);
    }
    return lent;
  }

  private void await(Waiter waiter, Entry first, long now, Afterwards after) {
    Lane lane = lanes.of(first.bucket());
    if (!lane.open()) {
      after.answer(waiter, Optional.empty());
      return;
    }
    Entry entry = first;
    while (!entry.enter(waiter, now, after)) {
      entry = entries.of(waiter.wish()); // that one was evicted meanwhile
    }
    if (entry.wantsToAsk()) {
      lane.offer(entry);
    }
  }

  private CompletionStage<List<Optional<Grant>>> thenLook(Taking taking, List<Entry> asked) {
    return taking.result().thenCompose(answers -> look(taking, answers, asked));
  }

  private CompletableFuture<List<Optional<Grant>>> look(
      Taking before, List<Optional<Grant>> answers, List<Entry> asked) {
    Taking taking = new Taking(before.wishes(), this);
    long now = node.clock().micros();
    for (int i = 0; i < asked.size(); i++) {
      if (!taking.wish(i).looks()) {
        taking.answer(i, answers.get(i));
        continue;
      }
      Grant known = known(taking, i, answers, asked.get(i), now);
      if (known != null) {
        taking.answer(i, Optional.of(known));
      } else {
        lanes.of(asked.get(i).bucket()).offer(new Look(asked.get(i), taking, i));
      }
    }
    lanes.pump();
    return taking.result();
  }

  /** The answer to a look by what is known. */
  private @Nullable Grant known(
      Taking taking, int index, List<Optional<Grant>> answers, Entry entry, long now) {
    Wish look = taking.wish(index);
    boolean alone = true;
    for (int i = 0; i < answers.size(); i++) {
      if (!taking.wish(i).looks() && taking.wish(i).bucket().equals(look.bucket())) {
        alone = false;
        Optional<Grant> own = answers.get(i);
        if (own.isPresent() && (own.get().permits() > 0 || own.get().retry() == 0)) {
          return entry.passedOver(look.offer(), now);
        }
      }
    }
    return alone ? entry.peek(look.offer(), now, node.pace().flush()) : entry.nominal(look, now);
  }
}
