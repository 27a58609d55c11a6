package io.weir.internal.writeback;

import io.weir.store.Claim;
import io.weir.store.DataLostException;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call to the store: answered, failed or overdue, whichever comes first. An answer that comes
 * when it is overdue is taken in all the same, for its permits are charged.
 *
 * <p>Safe for concurrent use.
 */
final class Batch {
  private final Channel lane;
  private final List<InFlightClaim> flights;
  private final Sending sent;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Future<?> alarm;

  /** When must have been read before: a lease's life begins before its claim is sent. */
  Batch(Channel lane, List<InFlightClaim> flights, Sending sent) {
    this.lane = lane;
    this.flights = flights;
    this.sent = sent;
  }

  void send(LeasingStore store) {
    try {
      List<Claim> claims = flights.stream().map(InFlightClaim::claim).toList();
      CompletionStage<List<Optional<Grant>>> answer =
          store.execute(sent.era().lane(), sent.epoch(), claims);
      answer.whenComplete(this::arrived);
    } catch (RuntimeException | Error broken) {
      arrived(null, broken);
    }
    if (!over.get()) {
      alarm = lane.alarm(lane.timeout(), this::timeIsUp);
      cancelAlarm(); // if it was over in between
    }
  }

  private void cancelAlarm() {
    Future<?> set = alarm;
    if (set != null && over.get()) {
      set.cancel(false);
    }
  }

  private void timeIsUp() {
    long late = lane.lateness(sent.at());
    if (late == 0) {
      overdue();
    } else if (!over.get()) {
      alarm = lane.alarm(late, this::overdue);
      cancelAlarm(); // if it was over in between
    }
  }

  private void overdue() {
    if (over.compareAndSet(false, true)) {
      lane.failed(took(), flights.get(0).claim(), new TimeoutException("the store took too long"));
      unanswered();
    }
  }

  private void arrived(@Nullable List<Optional<Grant>> answers, @Nullable Throwable failure) {
    boolean late = !over.compareAndSet(false, true);
    cancelAlarm();
    if (answers != null && answers.size() == flights.size()) {
      lane.answered(took(), flights.size(), late);
      answered(answers, late);
    } else if (!late && isOtherEpoch(failure)) {
      lane.lostData(took());
      unanswered();
    } else if (!late) {
      lane.failed(
          took(),
          flights.get(0).claim(),
          failure != null ? failure : new IllegalStateException("no answer"));
      unanswered();
    } else if (failure != null) {
      lane.explained(failure);
    }
  }

  private static boolean isOtherEpoch(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof DataLostException;
  }

  private long took() {
    return (lane.now() - sent.at()) * 1_000;
  }

  private void answered(List<Optional<Grant>> answers, boolean late) {
    AfterUnlock after = new AfterUnlock();
    for (int i = 0; i < flights.size(); i++) {
      InFlightClaim flight = flights.get(i);
      Optional<Grant> answer = answers.get(i);
      if (answer.isPresent()) {
        Grant grant = answer.get();
        land(() -> flight.answered(grant, sent, late, after));
      } else if (!late) {
        land(() -> flight.unanswered(sent, after));
      }
    }
    lane.goOn(after);
  }

  private void unanswered() {
    AfterUnlock after = new AfterUnlock();
    flights.forEach(flight -> land(() -> flight.unanswered(sent, after)));
    lane.goOn(after);
  }

  // What is wrong with one bucket mustn't be the trouble of all others in this settle.
  private void land(Supplier<@Nullable ClaimSource> landing) {
    try {
      ClaimSource again = landing.get();
      if (again != null) {
        lane.requestTerms(again);
      }
    } catch (RuntimeException | Error mistake) {
      lane.report(mistake);
    }
  }
}
