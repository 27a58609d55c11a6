package io.weir.internal.rules.whatif;

import io.weir.internal.rules.whatif.LimitArithmetic.DayLumps;
import io.weir.rules.usage.WhatIfResult;
import io.weir.rules.usage.WhatIfResult.Caller;
import io.weir.rules.usage.WhatIfResult.Day;
import io.weir.rules.usage.WhatIfResult.Rolling;
import io.weir.rules.usage.WhatIfResult.Unknown;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Adds up what a limit refuses, caller by caller. Confine to one thread. */
final class WhatIfSums {
  private static final int WORST = 20;
  private static final long DAY_HOURS = 24;
  private static final long DAY_SECONDS = 86_400;
  private static final Comparator<Caller> LEAST_FIRST =
      Comparator.comparingLong(Caller::refused)
          .thenComparing(Caller::userId, Comparator.reverseOrder());

  private final LimitArithmetic arithmetic;
  private final long firstDay;
  private final DaySums[] days;
  private final PriorityQueue<Caller> worst = new PriorityQueue<>(LEAST_FIRST);
  private long callers;
  private long requests;
  private long refusedThen;
  private long permits;
  private long refused;
  private long affected;
  private long rollingRefused;
  private long rollingAffected;

  private static final class DaySums {
    long requests;
    long callers;
    long refused;
    long affected;
  }

  /**
   * Begins with zeros.
   *
   * @param from the first hour
   * @param until the end of the last one
   */
  WhatIfSums(LimitArithmetic arithmetic, Instant from, Instant until) {
    this.arithmetic = arithmetic;
    this.firstDay = Math.floorDiv(from.getEpochSecond(), DAY_SECONDS);
    long lastDay = Math.floorDiv(until.getEpochSecond() - 1, DAY_SECONDS);
    this.days = new DaySums[Math.max(0, Math.toIntExact(lastDay - firstDay + 1))];
    for (int i = 0; i < days.length; i++) {
      days[i] = new DaySums();
    }
  }

  /** Adds the recorded requests of a day since the epoch. */
  void day(long day, long dayRequests, long dayCallers) {
    DaySums sums = days[Math.toIntExact(day - firstDay)];
    sums.requests += dayRequests;
    sums.callers += dayCallers;
  }

  void totals(long allCallers, long allRequests, long allRefused, long allPermits) {
    callers = allCallers;
    requests = allRequests;
    refusedThen = allRefused;
    permits = allPermits;
  }

  /** Adds what is refused of a caller; callers without hours add nothing. */
  void caller(String userId, CallerHours hours) {
    addRefused(userId, hours, arithmetic.fixed(), DAY_HOURS);
    arithmetic.rolling().ifPresent(bound -> addRolling(hours, bound));
  }

  /** Adds what is refused of a caller by its days. */
  void callerByDays(String userId, CallerHours ofDays, DayLumps lumps) {
    addRefused(userId, ofDays, lumps.fixed(), 1);
    lumps.rolling().ifPresent(bound -> addRolling(ofDays, bound));
  }

  private void addRolling(CallerHours hours, RefusalBound bound) {
    long rolling = 0;
    for (long each : bound.refused(hours)) {
      rolling += each;
    }
    rollingRefused += rolling;
    rollingAffected += rolling > 0 ? 1 : 0;
  }

  private void addRefused(String userId, CallerHours hours, RefusalBound bound, long lumpsADay) {
    long[] ofHours = bound.refused(hours);
    long ofCaller = 0;
    long sent = 0;
    long lastAffected = -1;
    for (int at = 0; at < ofHours.length; at++) {
      sent += hours.requests(at);
      ofCaller += ofHours[at];
      if (ofHours[at] > 0) {
        long day = Math.floorDiv(hours.hour(at), lumpsADay);
        DaySums sums = days[Math.toIntExact(day - firstDay)];
        sums.refused += ofHours[at];
        sums.affected += day == lastAffected ? 0 : 1;
        lastAffected = day;
      }
    }
    if (ofCaller > 0) {
      refused += ofCaller;
      affected++;
      worst.add(new Caller(userId, sent, ofCaller));
      if (worst.size() > WORST) {
        worst.remove();
      }
    }
  }

  WhatIfResult result(
      boolean isExact, long unknownCallers, List<String> partly, Optional<Instant> since) {
    List<Day> listed = new ArrayList<>();
    for (int i = 0; i < days.length; i++) {
      DaySums sums = days[i];
      listed.add(
          new Day(
              LocalDate.ofEpochDay(firstDay + i),
              sums.requests,
              sums.refused,
              sums.callers,
              sums.affected));
    }
    return new WhatIfResult(
        isExact,
        callers,
        requests,
        refusedThen,
        refused,
        affected,
        arithmetic.rolling().map(any -> new Rolling(rollingRefused, rollingAffected)),
        listed,
        worst.stream().sorted(LEAST_FIRST.reversed()).toList(),
        new Unknown(unknownCallers, permits, partly, since));
  }
}
