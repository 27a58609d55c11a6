package io.weir.internal.region;

import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the permits of one bucket that the own region has used and that one other region is still
 * to hear of, by the stamp that the own store charged them to.
 *
 * <p>A stamp is remembered after its permits were reported, with the stamps that the other store
 * charged them to, up to {@value #MAX_CHARGES}: what comes back later is given back there, the
 * earliest first. Of more than {@value #MAX_STAMPS} stamps the oldest that is reported is
 * forgotten; if none is, those are merged whose permits end within a twelfth of a window of each
 * other. Merged permits are reported like others. What comes back of a stamp that is no longer
 * remembered isn't given back: that refuses too much, never too little.
 *
 * <p>Needs the lock of its {@link ReportedBucket}.
 */
final class ChargesToReport {
  static final int MAX_STAMPS = 16;

  /** Reports of one stamp of the own store that the other one may charge to stamps of its own. */
  static final int MAX_CHARGES = 4;

  private static final int STEPS_PER_WINDOW = 12;

  private final long step;
  private final LongAdder unreportedOfAll;
  private final List<Charge> charges = new ArrayList<>(2); // the oldest first
  private boolean isInFlight;
  private long inFlight;
  private long unreported; // unsent and in flight

  /** Permits that were charged together. */
  private static final class Charge {
    private final boolean isNamed;
    private final long stamp;
    private long until;
    private long unsent;
    private long owedBack;

    // Nearly always the other store charges all to one stamp, so that it needs no list.
    private long itsStamp;
    private long itsPermits; // 0 if nothing is reported
    private List<GiveBack> later = List.of(); // the earliest first

    Charge(boolean isNamed, long stamp, long until) {
      this.isNamed = isNamed;
      this.stamp = stamp;
      this.until = until;
    }

    /** Cancels what came back and isn't sent yet. */
    void cancel() {
      long cancelled = Math.min(unsent, owedBack);
      unsent -= cancelled;
      owedBack -= cancelled;
    }

    /** Notes the stamp of permits that the other store has charged. */
    void reported(long stampThere, long permits) {
      if (itsPermits == 0) {
        itsStamp = stampThere;
        itsPermits = permits;
      } else if (itsStamp == stampThere) {
        itsPermits += permits;
      } else {
        reportedLater(stampThere, permits);
      }
    }

    private void reportedLater(long stampThere, long permits) {
      for (int at = 0; at < later.size(); at++) {
        GiveBack each = later.get(at);
        if (each.stamp() == stampThere) {
          later.set(at, new GiveBack(stampThere, each.permits() + permits));
          return;
        }
      }
      if (later.isEmpty()) {
        later = new ArrayList<>(1);
      } else if (later.size() == MAX_CHARGES - 1) {
        forgetFirst();
      }
      later.add(new GiveBack(stampThere, permits));
    }

    private void forgetFirst() {
      itsPermits = 0;
      if (!later.isEmpty()) {
        GiveBack next = later.remove(0);
        itsStamp = next.stamp();
        itsPermits = next.permits();
      }
    }

    /** Takes what came back off what was reported, once. */
    void takeGiveBacks(List<GiveBack> backs) {
      while (owesBack()) {
        long permits = Math.min(owedBack, itsPermits);
        owedBack -= permits;
        itsPermits -= permits;
        backs.add(new GiveBack(itsStamp, permits));
        if (itsPermits == 0) {
          forgetFirst();
        }
      }
    }

    boolean owesBack() {
      return owedBack > 0 && itsPermits > 0;
    }

    boolean hasNews() {
      return unsent > 0 || owesBack();
    }
  }

  /**
   * Permits of one stamp in a report. Immutable.
   *
   * @param isNamed whether the stamp is known
   * @param stamp of the own store
   * @param until when they no longer count, by this node's time
   * @param permits 1 and more
   */
  record Part(boolean isNamed, long stamp, long until, long permits) {}

  /**
   * Begins without permits.
   *
   * @param unreportedOfAll the permits whose report isn't answered yet, of all buckets; kept up to
   *     date
   */
  ChargesToReport(long windowMicros, LongAdder unreportedOfAll) {
    this.unreportedOfAll = unreportedOfAll;
    step = Math.max(1, windowMicros / STEPS_PER_WINDOW);
  }

  /**
   * Adds permits.
   *
   * @param isNamed whether the stamp is that of their charge, so that they may come back
   * @param until when they certainly don't count any more
   */
  void add(boolean isNamed, long stamp, long permits, long until) {
    put(isNamed, stamp, permits, until);
    recount();
  }

  private void put(boolean isNamed, long stamp, long permits, long until) {
    Charge charge = isNamed ? find(stamp) : null;
    if (charge == null) {
      charge = new Charge(isNamed, stamp, until);
      charges.add(charge);
    }
    charge.until = Math.max(charge.until, until);
    charge.unsent += permits;
    charge.cancel();
    if (charges.size() > MAX_STAMPS && !forgetOne()) {
      mergeOnePair();
    }
  }

  /** Has the sum of all buckets follow this one, so that nobody need visit them to know it. */
  private void recount() {
    long sum = inFlight + unsent();
    if (sum != unreported) {
      unreportedOfAll.add(sum - unreported);
      unreported = sum;
    }
  }

  private long unsent() {
    long sum = 0;
    for (Charge each : charges) {
      sum += each.unsent;
    }
    return sum;
  }

  /** Forgets the oldest of which nothing is to be sent; false if there is none. */
  private boolean forgetOne() {
    for (int at = 0; at < charges.size(); at++) {
      if (!charges.get(at).hasNews()) {
        charges.remove(at);
        return true;
      }
    }
    return false;
  }

  private @Nullable Charge find(long stamp) {
    for (int at = charges.size() - 1; at >= 0; at--) {
      Charge each = charges.get(at);
      if (each.isNamed && each.stamp == stamp) {
        return each;
      }
    }
    return null;
  }

  private void mergeOnePair() {
    int first = 0;
    for (int at = 0; at + 1 < charges.size(); at++) {
      if (stepOf(charges.get(at)) == stepOf(charges.get(at + 1))) {
        first = at;
        break;
      }
    }
    Charge one = charges.get(first);
    Charge other = charges.remove(first + 1);
    Charge merged = new Charge(false, 0, Math.max(one.until, other.until));
    merged.unsent = one.unsent + other.unsent;
    charges.set(first, merged);
  }

  private long stepOf(Charge charge) {
    return Math.floorDiv(charge.until, step);
  }

  /** Takes off what came back of a stamp: of what isn't sent yet, the rest by the next report. */
  void giveBack(long stamp, long permits) {
    Charge charge = find(stamp);
    if (charge != null) {
      charge.owedBack += permits;
      charge.cancel();
      recount();
    }
  }

  /**
   * Drops what no longer counts.
   *
   * @param isOver whether permits until a time don't
   */
  void expire(LongPredicate isOver) {
    charges.removeIf(each -> isOver.test(each.until));
    recount();
  }

  /** Takes out what is to be reported. */
  List<Part> take() {
    List<Part> parts = new ArrayList<>(charges.size());
    for (Charge each : charges) {
      if (each.unsent > 0) {
        parts.add(new Part(each.isNamed, each.stamp, each.until, each.unsent));
        inFlight += each.unsent;
        each.unsent = 0;
      }
    }
    isInFlight = true;
    return parts;
  }

  /** Takes out nothing, and is in flight all the same. */
  List<Part> takeNothing() {
    isInFlight = true;
    return List.of();
  }

  /** Takes out what came back after it was reported. It is sent once, whatever comes of it. */
  List<GiveBack> takeGiveBacks() {
    List<GiveBack> backs = new ArrayList<>(0);
    for (Charge each : charges) {
      each.takeGiveBacks(backs);
    }
    return backs;
  }

  /** Notes that a report was charged, and to which stamp of the other store. */
  void answered(List<Part> parts, long stamp) {
    land();
    for (Part part : parts) {
      Charge charge = part.isNamed() ? find(part.stamp()) : null;
      if (charge != null) {
        charge.reported(stamp, part.permits());
      }
    }
    recount();
  }

  /** Has a report sent again that the other store may not have charged. */
  void unanswered(List<Part> parts) {
    land();
    parts.forEach(each -> put(each.isNamed(), each.stamp(), each.permits(), each.until()));
    recount();
  }

  private void land() {
    isInFlight = false;
    inFlight = 0;
  }

  /** Drops all but what is in flight, and returns the permits that weren't sent. */
  long giveUp() {
    long lost = unsent();
    charges.clear();
    recount();
    return lost;
  }

  /** Drops what was in flight and isn't answered, and returns its permits. */
  long giveUpInFlight() {
    long lost = inFlight;
    land();
    recount();
    return lost;
  }

  /** Returns whether there is something to send. */
  boolean hasNews() {
    for (Charge each : charges) {
      if (each.hasNews()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether nothing is to be sent or is in flight, only remembered. */
  boolean isSettled() {
    return !isInFlight && !hasNews();
  }

  boolean isEmpty() {
    return charges.isEmpty() && !isInFlight;
  }
}
