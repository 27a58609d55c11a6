package io.weir.internal.writeback;

import io.weir.internal.permits.BucketRequest;
import io.weir.internal.writeback.channel.AfterUnlock;
import io.weir.internal.writeback.channel.PartitionChannel;
import io.weir.internal.writeback.channel.PartitionChannels;
import io.weir.internal.writeback.channel.WaitingThread;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Acquires permits of all buckets of one request: first checks whether one of them is known to
 * refuse, then spends from leases, and has the rest wait for the store.
 *
 * <p>A bucket is tried twice: once without its lock, and if that doesn't answer, once under it.
 *
 * <p>Safe for concurrent use.
 */
final class Acquirer {
  private final BucketCache buckets;
  private final PartitionChannels channels;
  private final CacheContext context;

  Acquirer(BucketCache buckets, PartitionChannels channels, CacheContext context) {
    this.buckets = buckets;
    this.channels = channels;
    this.context = context;
  }

  /**
   * Acquires the permits of bucket requests.
   *
   * @param caller the calling thread, if it is to wait for the answers here; otherwise null
   */
  CompletionStage<List<Optional<Grant>>> acquire(
      List<BucketRequest> requests, long now, @Nullable WaitingThread caller) {
    if (requests.size() == 1 && !requests.get(0).peek()) {
      return acquireOne(requests, now, caller);
    }
    List<@Nullable ActiveBucket> actives = new ArrayList<>(requests.size());
    List<Optional<Grant>> refusals = new ArrayList<>(requests.size());
    boolean inVain = false;
    int takes = 0;
    for (BucketRequest request : requests) {
      boolean atRest = !request.peek() && buckets.admitsAtRest(request, now);
      ActiveBucket active = atRest ? null : buckets.activate(request); // which may not be needed
      actives.add(active);
      Grant refusal = request.peek() || active == null ? null : active.refuse(request.terms(), now);
      refusals.add(Optional.ofNullable(refusal));
      inVain |= refusal != null && !request.policy().shadow();
      takes += request.peek() ? 0 : 1;
    }
    Acquisition acquisition = new Acquisition(requests, caller);
    if (inVain) {
      takeNothing(acquisition, actives, refusals, now);
    } else {
      takeAll(acquisition, actives, refusals, now, takes == 1, caller);
    }
    return takes == requests.size() ? acquisition.result() : thenPeek(acquisition, actives);
  }

  // Known refusals were checked a moment ago without the lock, and are checked again under it.
  private CompletionStage<List<Optional<Grant>>> acquireOne(
      List<BucketRequest> requests, long now, @Nullable WaitingThread caller) {
    BucketRequest request = requests.get(0);
    ActiveBucket active = buckets.activate(request);
    Acquisition acquisition = new Acquisition(requests, caller);
    Grant spent = active.spendUnlessWaiting(request, now);
    if (spent == null) {
      active.note(request);
      spent = borrow(active, request, now);
    }
    if (spent != null) {
      acquisition.answer(0, Optional.of(spent));
      channels.pump();
      return acquisition.result();
    }
    AfterUnlock after = new AfterUnlock();
    PartitionChannel channel = await(new WaitingRequest(acquisition, 0, now), active, now, after);
    send(channel, caller, after);
    return acquisition.result();
  }

  /** Sends what is queued, on the calling thread if that waits for the answers. */
  private static void send(
      PartitionChannel channel, @Nullable WaitingThread caller, AfterUnlock after) {
    if (caller == null) {
      channel.pump();
      after.run();
    } else {
      after.run();
      channel.await(caller);
    }
  }

  private void takeNothing(
      Acquisition acquisition,
      List<@Nullable ActiveBucket> actives,
      List<Optional<Grant>> refusals,
      long now) {
    for (int i = 0; i < actives.size(); i++) {
      BucketRequest request = acquisition.request(i);
      ActiveBucket active = active(actives.get(i), request);
      if (!request.peek()) {
        active.note(request);
      }
      Optional<Grant> refusal = refusals.get(i);
      acquisition.answer(
          i, refusal.or(() -> Optional.of(active.takeNothing(request.terms(), now))));
    }
  }

  private ActiveBucket active(@Nullable ActiveBucket known, BucketRequest request) {
    return known == null ? buckets.activate(request) : known;
  }

  private void takeAll(
      Acquisition acquisition,
      List<@Nullable ActiveBucket> actives,
      List<Optional<Grant>> refusals,
      long now,
      boolean alone,
      @Nullable WaitingThread caller) {
    AfterUnlock after = new AfterUnlock();
    PartitionChannel awaited = null;
    boolean several = false;
    for (int i = 0; i < actives.size(); i++) {
      BucketRequest request = acquisition.request(i);
      if (request.peek()) {
        acquisition.answer(i, Optional.empty()); // later
        continue;
      }
      Grant atRest = actives.get(i) == null ? buckets.spendAtRest(request, now) : null;
      if (atRest != null) {
        acquisition.answer(i, Optional.of(atRest));
        continue;
      }
      ActiveBucket active = active(actives.get(i), request);
      Grant refusal = refusals.get(i).orElse(null); // of a policy in shadow mode
      Grant answer = refusal != null ? refusal : active.spendUnlessWaiting(request, now);
      if (refusal != null || answer == null) {
        active.note(request);
      }
      answer = answer == null && alone ? borrow(active, request, now) : answer;
      if (answer != null) {
        acquisition.answer(i, Optional.of(answer));
      } else {
        PartitionChannel channel =
            await(new WaitingRequest(acquisition, i, now), active, now, after);
        several |= awaited != null && awaited != channel;
        awaited = channel;
      }
    }
    if (awaited == null || several) {
      channels.pump();
      after.run();
    } else {
      send(awaited, caller, after);
    }
  }

  private @Nullable Grant borrow(ActiveBucket active, BucketRequest request, long now) {
    Grant borrowed = request.policy().overshoot() == 0 ? null : active.borrow(request, now);
    if (borrowed != null && active.queueClaim()) {
      channels.of(active.bucket()).enqueue(active);
    }
    return borrowed;
  }

  private PartitionChannel await(
      WaitingRequest waiting, ActiveBucket first, long now, AfterUnlock after) {
    PartitionChannel channel = channels.of(first.bucket());
    if (!channel.open()) {
      waiting.fail(after);
      return channel;
    }
    ActiveBucket active = first;
    while (!active.serveOrWait(waiting, now, after)) {
      active = buckets.activate(waiting.request()); // that one was evicted meanwhile
    }
    if (active.queueClaim()) {
      channel.enqueue(active);
    }
    return channel;
  }

  private CompletionStage<List<Optional<Grant>>> thenPeek(
      Acquisition acquisition, List<@Nullable ActiveBucket> actives) {
    return acquisition.result().thenCompose(answers -> peek(acquisition, answers, actives));
  }

  private CompletableFuture<List<Optional<Grant>>> peek(
      Acquisition before, List<Optional<Grant>> answers, List<@Nullable ActiveBucket> actives) {
    Acquisition acquisition = new Acquisition(before.requests(), null);
    long now = context.now();
    for (int i = 0; i < actives.size(); i++) {
      if (!acquisition.request(i).peek()) {
        acquisition.answer(i, answers.get(i));
        continue;
      }
      ActiveBucket active = active(actives.get(i), acquisition.request(i));
      Grant known = peek(acquisition.request(i), acquisition, answers, active, now);
      if (known != null) {
        acquisition.answer(i, Optional.of(known));
      } else {
        channels.of(active.bucket()).enqueue(new PeekClaim(active, acquisition, i));
      }
    }
    channels.pump();
    return acquisition.result();
  }

  /** Returns the answer to a peek by what is known. */
  private @Nullable Grant peek(
      BucketRequest peek,
      Acquisition acquisition,
      List<Optional<Grant>> answers,
      ActiveBucket active,
      long now) {
    boolean alone = true;
    for (int i = 0; i < answers.size(); i++) {
      BucketRequest other = acquisition.request(i);
      if (!other.peek() && other.bucket().equals(peek.bucket())) {
        alone = false;
        Optional<Grant> own = answers.get(i);
        if (own.isPresent() && (own.get().permits() > 0 || own.get().retry() == 0)) {
          return active.takeNothing(peek.terms(), now);
        }
      }
    }
    return alone
        ? active.peek(peek.terms(), now, context.flushInterval())
        : active.recallPeek(peek, now);
  }
}
