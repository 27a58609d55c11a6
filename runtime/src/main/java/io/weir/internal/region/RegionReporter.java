package io.weir.internal.region;

import io.weir.internal.clock.NodeClock;
import io.weir.internal.clock.SafeScheduler;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports to one other region's store: each interval one batch of all that has come up, of which
 * one is out at a time. An empty one is a sign of life.
 *
 * <p><b>How this works.</b> Nothing is reported to a store before its mark has said that it is that
 * region's, with the same secret: it would count other buckets, or callers of others. A batch that
 * isn't answered is sent again, since it may not have been executed; but only once the mark was
 * read again, so that a link that is down or slow isn't charged the same debt each time, and once
 * its call has ended: where a part of the store is away, the others have charged it, and the call
 * says so in the end. The answer may still come until then. What was given back with a batch is
 * never sent again. Where the store answers, but not for some bucket, that bucket is asked for
 * first in the same way. One that can be read, but charges nothing, hasn't answered: it may be a
 * replica, or full. A debt that it ignored, since its clock was set forward, is sent again at once
 * with the time of the answer.
 *
 * <p>Where parts of the store stand still while others answer, that call ends late. Then nothing is
 * sent to those parts for a while, so that the others are charged each interval.
 *
 * <p>A store that has no mark any more has lost its data, and is the region's as before: its nodes
 * mark it again soon, and what is used meanwhile would count there too late.
 *
 * <p>Works on threads of the scheduler and of the store's answers. Safe for concurrent use.
 */
final class RegionReporter {
  private static final System.Logger LOG = System.getLogger("io.weir");

  /** Reports of a batch: few enough that the other region's own claims needn't wait for long. */
  static final int MAX_CLAIMS = 2_048;

  private static final long UNHEARD = 10_000_000;
  private static final int MISSED_REPORTS = 3;

  private static final long MARK_LASTS = 60_000_000;

  private static final String TAKES_NOTHING =
      "its store can be read, but takes no reports: the address may lead to a replica, the login may"
          + " not write, or the store is full";

  private final int number;
  private final FirstStart firstStart;
  private final String name;
  private final LeasingStore store;
  private final String mark;
  private final Claim sign;
  private final NodeTurns.Turn turn;
  private final BooleanSupplier mayReport;
  private final RegionReports reports;
  private final NodeClock clock;
  private final RegionClock itsClock;
  private final SafeScheduler scheduler;
  private final long interval;
  private final long timeout;

  private @Nullable Call<?> out;
  private @Nullable Batch inDoubt;

  /** Until when nothing is sent to parts of the store that stand still while others answer. */
  private final Map<Integer, Long> resting = new HashMap<>();

  private boolean isDue;
  private boolean isSentAgain; // since the last tick, so that no clock makes it go round
  private boolean isKnown;
  private boolean wasItsMark;
  private boolean isUnmarked;
  private long unableUntil;
  private long knownUntil;
  private long answeredAt;
  private boolean hasAnswered;
  private Optional<String> trouble = Optional.empty();
  private String saidOfMark = "";
  private boolean isWarned;
  private @Nullable CompletableFuture<Void> ending;

  /**
   * Reports nothing before it {@linkplain #start starts}.
   *
   * @param number of the region, in the reports
   * @param firstStart its name, and whether it is still to start for the first time
   * @param mark the mark that its store must have
   * @param sign the claim that says from whom a report comes
   * @param turn says in which batches this node has to send it
   * @param mayReport whether the own store is known to be the own region's
   * @param interval microseconds from one batch to the next
   * @param timeout microseconds to wait for an answer
   */
  RegionReporter(
      int number,
      FirstStart firstStart,
      LeasingStore store,
      String mark,
      Claim sign,
      NodeTurns.Turn turn,
      BooleanSupplier mayReport,
      RegionReports reports,
      NodeClock clock,
      SafeScheduler scheduler,
      long interval,
      long timeout) {
    this.number = number;
    this.firstStart = firstStart;
    this.name = firstStart.region();
    this.store = store;
    this.mark = mark;
    this.sign = sign;
    this.turn = turn;
    this.mayReport = mayReport;
    this.reports = reports;
    this.clock = clock;
    this.itsClock = reports.clockOf(number);
    this.scheduler = scheduler;
    this.interval = interval;
    this.timeout = timeout;
    this.answeredAt = clock.micros();
    this.unableUntil = answeredAt;
  }

  /** Returns the microseconds after which a region that isn't heard of is warned of. */
  static long patience(long interval) {
    return Math.max(UNHEARD, MISSED_REPORTS * interval);
  }

  void start() {
    scheduler.runAfter(0, this::tick);
  }

  private void tick() {
    synchronized (this) {
      if (ending != null) {
        return;
      }
      isSentAgain = false;
    }
    scheduler.runAfter(interval, this::tick); // first, so that no failure ends it
    warnIfUnheard();
    next();
  }

  /** Sends what is to be sent next, unless an answer is due. */
  void next() {
    Call<?> call;
    synchronized (this) {
      if (out != null) {
        isDue = true;
        return;
      }
      isDue = false;
      if (!mayReport.getAsBoolean()) {
        unableUntil = clock.micros();
        failed("this region's own store hasn't been found to be its own");
        end();
        return;
      }
      boolean known = isKnown && clock.micros() < knownUntil;
      call = known ? batch() : new LookUp();
      out = call;
    }
    call.send();
  }

  private Batch batch() {
    int most = itsClock.isKnown() ? MAX_CLAIMS : 0;
    boolean isDoubted = !hasAnswered || trouble.isPresent(); // and so is to show that it writes
    boolean signs = turn.comes() || isDoubted;
    resting.values().removeIf(until -> until <= clock.micros());
    return new Batch(reports.take(number, most, this::rests), most, signs && !rests(sign.bucket()));
  }

  /** Returns whether a batch would wait for a bucket in vain, and all others with it. */
  private boolean rests(BucketId bucket) {
    return !resting.isEmpty() && ending == null && resting.containsKey(store.partition(bucket));
  }

  /**
   * Reports once more and then no more; completed when all is answered, or something isn't.
   *
   * @return completed normally in any case
   */
  CompletionStage<?> close() {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    synchronized (this) {
      if (ending != null) {
        return ending;
      }
      ending = ended;
      if (!isKnown) {
        end(); // it isn't reached, or isn't the region's
      }
    }
    if (!ended.isDone()) {
      next();
    }
    return ended;
  }

  private synchronized void end() {
    if (ending != null) {
      ending.complete(null);
    }
  }

  LeasingStore store() {
    return store;
  }

  String name() {
    return name;
  }

  /** Returns how long ago its store answered last; empty if it never did. */
  synchronized Optional<Duration> age() {
    return hasAnswered
        ? Optional.of(Duration.ofNanos((clock.micros() - answeredAt) * 1_000))
        : Optional.empty();
  }

  /** Describes why nothing is reported at the moment; empty if all is well. */
  synchronized Optional<String> trouble() {
    return trouble;
  }

  /** Returns whether it has been warned of: it is silent, or its store isn't its own. */
  synchronized boolean isWarned() {
    return isWarned;
  }

  private synchronized void answered() {
    answeredAt = clock.micros();
    hasAnswered = true;
  }

  private void warnIfUnheard() {
    String text;
    synchronized (this) {
      long now = clock.micros();
      long couldAnswer = Math.max(unableUntil, firstStart.possibleSince());
      long since = now - Math.max(answeredAt, couldAnswer);
      boolean isLate = isUnmarked ? firstStart.isOverdue(now) : since >= patience(interval);
      if (isWarned || !isLate) {
        return;
      }
      isWarned = true;
      trouble = Optional.of(trouble.orElse("it doesn't answer"));
      text =
          isUnmarked ? nothingReported("") + advice(". Start them, or correct ") : unheard(since);
    }
    NonThrowingLog.log(LOG, System.Logger.Level.WARNING, text);
  }

  private String unheard(long since) {
    return "Region "
        + name
        + " hasn't answered for "
        + DurationText.inWords(Duration.ofSeconds(since / 1_000_000))
        + ": "
        + trouble.orElse("")
        + ". Meanwhile each of the two counts alone";
  }

  private String advice(String what) {
    return what + RegionSettingsReader.store(name);
  }

  private synchronized String nothingReported(String yet) {
    return "Nothing is reported to region " + name + yet + ": " + trouble.orElse("");
  }

  private void succeeded() {
    String news = "";
    synchronized (this) {
      if (isUnmarked) {
        news = " has started, so what is used here is reported to it now";
      } else if (isWarned) {
        news = " answers again";
      }
      trouble = Optional.empty();
      isUnmarked = false;
      saidOfMark = "";
      isWarned = false;
    }
    if (!news.isEmpty()) {
      NonThrowingLog.log(LOG, System.Logger.Level.INFO, "Region " + name + news);
    }
  }

  private synchronized void failed(String why) {
    isKnown = false;
    isUnmarked = false;
    trouble = Optional.of(why);
  }

  /**
   * Returns what a failed call says, to stand within a sentence.
   *
   * @param setting the name of the store's setting, which messages call {@code weir.store}
   */
  static String text(Throwable failure, String setting) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    String why = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    return why.replace("weir.store", setting);
  }

  /** Describes a store that isn't the one of its region, by the mark that was found there. */
  static String otherStore(String found, String wanted) {
    return found.isEmpty()
        ? "its store has no mark, so none of its nodes has started yet with this prefix and schema"
        : "its store is that of '" + found + "', not of '" + wanted + "'";
  }

  /** One call of the store, which is answered, fails, or isn't answered in time. */
  private abstract class Call<T> {
    private boolean isOver;
    private boolean hasEnded;
    private Future<?> timer = CompletableFuture.completedFuture(null);

    abstract CompletionStage<T> call();

    final void send() {
      timer = scheduler.schedule(timeout, this::timeIsUp);
      CompletionStage<T> stage;
      try {
        stage = call();
      } catch (RuntimeException | Error broken) {
        stage = CompletableFuture.failedStage(broken);
      }
      stage.whenComplete(
          (answer, failure) -> {
            timer.cancel(false);
            boolean late;
            synchronized (RegionReporter.this) {
              late = isOver;
              isOver = true;
              hasEnded = true;
              out = out == this ? null : out;
            }
            if (failure == null && answer != null) {
              received(answer, late);
            } else if (!late) {
              fails(
                  failure == null ? "no answer" : text(failure, RegionSettingsReader.store(name)));
            }
          });
    }

    private void timeIsUp() {
      synchronized (RegionReporter.this) {
        if (isOver) {
          return;
        }
        isOver = true;
        out = null;
      }
      overdue();
    }

    /** Returns whether it is answered or has failed, be it late. */
    final boolean hasEnded() {
      synchronized (RegionReporter.this) {
        return hasEnded;
      }
    }

    abstract void received(T answer, boolean late);

    /** It may or may not have been executed. */
    abstract void fails(String why);

    /** The same, but an answer may still come. */
    abstract void overdue();

    final String silence() {
      return "no answer within " + timeout / 1_000 + " ms";
    }
  }

  /** Reads the mark: whether this is the region's store, and whether it answers. */
  private final class LookUp extends Call<Optional<String>> {
    @Override
    CompletionStage<Optional<String>> call() {
      return store.mark(Optional.empty());
    }

    @Override
    void received(Optional<String> kept, boolean late) {
      if (late) {
        return;
      }
      String found = kept.orElse("");
      if (!isOfRegion(found)) {
        if (found.isEmpty()) {
          hasNoMark();
        } else {
          isAnotherOne(found);
        }
        end();
        return;
      }
      Batch doubtful;
      synchronized (RegionReporter.this) {
        if (inDoubt != null && inDoubt.mayBeAnswered()) {
          end(); // in the next interval there is another look-up
          return;
        }
        isKnown = true;
        knownUntil = NodeClock.after(clock.micros(), MARK_LASTS);
        doubtful = inDoubt;
        inDoubt = null;
      }
      if (doubtful != null) {
        doubtful.restore();
      }
      next(); // a store that can be read may still take no reports
    }

    private boolean isOfRegion(String found) {
      synchronized (RegionReporter.this) {
        wasItsMark = found.equals(mark) || found.isEmpty() && wasItsMark;
        return wasItsMark;
      }
    }

    private void hasNoMark() {
      firstStart.unmarked(clock.micros());
      boolean isNew;
      synchronized (RegionReporter.this) {
        isNew = isNews(otherStore("", mark)) && !isWarned;
        isUnmarked = true;
      }
      if (isNew) {
        NonThrowingLog.log(LOG, System.Logger.Level.INFO, nothingReported(" yet"));
      }
    }

    /** Notes why nothing is reported; returns whether it is to be logged. */
    private boolean isNews(String why) {
      boolean isNew = !saidOfMark.equals(why);
      saidOfMark = why;
      failed(why);
      return isNew;
    }

    private void isAnotherOne(String found) {
      boolean isNew;
      synchronized (RegionReporter.this) {
        isNew = isNews(otherStore(found, mark));
        isWarned = true;
      }
      if (isNew) {
        NonThrowingLog.log(
            LOG, System.Logger.Level.WARNING, nothingReported("") + advice(". Correct "));
      }
    }

    @Override
    void fails(String why) {
      failed(why);
      end();
    }

    @Override
    void overdue() {
      fails(silence());
    }
  }

  /** Reports what the store is to charge. */
  private final class Batch extends Call<List<Optional<Grant>>> {
    private final List<ReportedBucket.Report> sent;
    private final int most;

    /** The question for the time, and in this node's turn the sign of who reports. */
    private final List<Claim> first = new ArrayList<>(2);

    private List<Claim> claims = List.of();
    private long sentAt;

    Batch(List<ReportedBucket.Report> sent, int most, boolean signs) {
      this.sent = sent;
      this.most = most;
      first.add(itsClock.question());
      if (signs) {
        first.add(sign);
      }
    }

    @Override
    CompletionStage<List<Optional<Grant>>> call() {
      claims = new ArrayList<>(first.size() + sent.size());
      claims.addAll(first);
      sent.forEach(each -> claims.add(each.claim()));
      sentAt = clock.micros();
      return store.execute(claims);
    }

    @Override
    void received(List<Optional<Grant>> answers, boolean late) {
      synchronized (RegionReporter.this) {
        if (late && inDoubt != this) {
          return; // it was sent again
        }
        inDoubt = late ? null : inDoubt;
      }
      int asked = first.size() + sent.size();
      if (answers.size() != asked) {
        fails("it answered " + answers.size() + " of " + asked + " claims");
        return;
      }
      answers
          .get(0)
          .ifPresentOrElse(
              grant -> itsClock.learn(grant, sentAt, clock.micros()), itsClock::askElsewhere);
      // The question writes nothing, but may be all there was.
      int signed = first.size() - 1;
      boolean isWritten = (signed == 1 || sent.isEmpty()) && answers.get(signed).isPresent();
      int charged = 0;
      boolean isAnyIgnored = false;
      for (int at = 0; at < sent.size(); at++) {
        Optional<Grant> answer = answers.get(first.size() + at);
        isWritten |= answer.isPresent() && !sent.get(at).parts().isEmpty();
        if (answer.isEmpty()) {
          reports.unsure(number, sent.get(at));
        } else if (answer.get().isOfOtherWindow()) {
          reports.unanswered(number, sent.get(at));
        } else if (isIgnored(sent.get(at).claim(), answers.get(0))) {
          isAnyIgnored = true;
          reports.unanswered(number, sent.get(at));
        } else {
          charged++;
          reports.answered(number, sent.get(at), answer.get());
        }
      }
      if (isWritten) {
        answered();
      }
      if (late) {
        restSilentParts(answers);
        return;
      }
      if (!isWritten) {
        failed(TAKES_NOTHING);
        end();
        return;
      }
      succeeded();
      boolean more;
      synchronized (RegionReporter.this) {
        boolean isFull = sent.size() == most;
        boolean goesOn =
            most == 0 && itsClock.isKnown()
                || isAnyIgnored && !isSentAgain
                || charged > 0 && (isFull || ending != null);
        isSentAgain |= isAnyIgnored;
        more = isDue || goesOn && reports.hasNews(number);
      }
      if (more) {
        next();
      } else {
        end();
      }
    }

    /** Leaves out for a while what kept the rest of the batch from being answered in time. */
    private void restSilentParts(List<Optional<Grant>> answers) {
      Set<Integer> silent = new HashSet<>();
      Set<Integer> answering = new HashSet<>();
      for (int at = 0; at < claims.size(); at++) {
        int partition = store.partition(claims.get(at).bucket());
        (answers.get(at).isPresent() ? answering : silent).add(partition);
      }
      silent.removeAll(answering);
      if (answering.isEmpty()) {
        return;
      }
      synchronized (RegionReporter.this) {
        long until = clock.micros() + patience(interval);
        silent.forEach(each -> resting.put(each, until));
      }
    }

    /** Returns whether an answer may still come. */
    boolean mayBeAnswered() {
      return !hasEnded() && clock.micros() - sentAt < patience(interval);
    }

    /**
     * Returns whether the debt had ended by the store's clock, by which it is asked first. If this
     * was its true end, it is dropped before it is sent again.
     */
    private static boolean isIgnored(Claim claim, Optional<Grant> time) {
      return claim.debt() > 0
          && time.isPresent()
          && time.get().isOfOtherWindow()
          && time.get().storeClock() >= claim.debtUntil();
    }

    void restore() {
      sent.forEach(each -> reports.unanswered(number, each));
    }

    @Override
    void fails(String why) {
      failed(why);
      itsClock.askElsewhere();
      restore();
      end();
    }

    @Override
    void overdue() {
      itsClock.askElsewhere();
      synchronized (RegionReporter.this) {
        failed(silence());
        inDoubt = this;
        if (ending != null) {
          ending.complete(null);
          return;
        }
      }
      next(); // asks at once, so that the batch is sent again as soon as it may be
    }
  }
}
