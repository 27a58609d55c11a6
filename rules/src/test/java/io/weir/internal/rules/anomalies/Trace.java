package io.weir.internal.rules.anomalies;

import java.util.Random;

/**
 * A fortnight of one caller at one endpoint: how many requests each minute has, and which minutes
 * somebody has misused.
 */
final class Trace {
  static final int A_DAY = 1_440;
  static final int DAYS = 14;

  /** From then on there is misuse; before it the baseline is learned. */
  private static final int LEARNED = 3 * A_DAY;

  /** What callers are like. */
  enum Kind {
    /** The same rate all the time. */
    STEADY(0),
    /** By day much more than by night, and less on weekends; some sleep at night. */
    DAILY(1),
    /** Now and then many times as many for a few minutes. */
    BURSTY(2),
    /** Twice as many a week later, or half as many. */
    DRIFT(3),
    /** Steady, and 26 times as many while it is misused. */
    SURGE(4),
    /** By day and night as its owner, whose key he has stolen: twice as many in all. */
    THIEF(5);

    /** Draws other numbers for each kind. */
    private final long seed;

    Kind(long seed) {
      this.seed = seed;
    }
  }

  private final int[] minutes;
  private final boolean[] misused;

  private Trace(int[] minutes, boolean[] misused) {
    this.minutes = minutes;
    this.misused = misused;
  }

  /** Requests by minute. */
  int[] minutes() {
    return minutes;
  }

  /** Which minutes are those of misuse. */
  boolean[] misused() {
    return misused;
  }

  static Trace of(Kind kind, long seed) {
    Random random = new Random(seed * 1_000_003 + kind.seed);
    double[] rates = rates(kind, random);
    boolean[] misused = new boolean[rates.length];
    misuse(kind, rates, misused, random);
    int[] minutes = new int[rates.length];
    for (int i = 0; i < rates.length; i++) {
      minutes[i] = poisson(rates[i], random);
    }
    return new Trace(minutes, misused);
  }

  private static double[] rates(Kind kind, Random random) {
    double rate = between(2, 60, random);
    double[] rates = new double[DAYS * A_DAY];
    Day day = new Day(random);
    double doubling = (random.nextBoolean() ? 7 : -7) * A_DAY;
    for (int i = 0; i < rates.length; i++) {
      rates[i] =
          switch (kind) {
            case STEADY, SURGE, BURSTY -> rate;
            case DAILY, THIEF -> rate * day.level(i);
            case DRIFT -> rate * Math.pow(2, i / doubling);
          };
    }
    if (kind == Kind.BURSTY) {
      double pause = between(10, 60, random);
      double times = between(4, 20, random);
      for (int at = 0; at < rates.length; at += (int) (1 + pause * exponential(random))) {
        int end = Math.min(rates.length, at + 1 + random.nextInt(3));
        for (; at < end; at++) {
          rates[at] = rate * times * (0.5 + random.nextDouble());
        }
      }
    }
    return rates;
  }

  /** About once a day, for 5 to 30 minutes; the thief never pauses. */
  private static void misuse(Kind kind, double[] rates, boolean[] misused, Random random) {
    if (kind == Kind.THIEF) {
      for (int i = 7 * A_DAY; i < rates.length; i++) {
        rates[i] *= 2;
        misused[i] = true;
      }
      return;
    }
    double average = 0;
    for (double each : rates) {
      average += each / rates.length;
    }
    for (int at = LEARNED; at < rates.length; at++) {
      at += (int) (A_DAY * exponential(random));
      double times = kind == Kind.SURGE ? 26 : between(10, 50, random);
      int end = Math.min(rates.length, at + 5 + random.nextInt(26));
      for (; at < end; at++) {
        rates[at] += (times - 1) * average;
        misused[at] = true;
      }
    }
  }

  /** How busy a caller is by time of the day and of the week. */
  private static final class Day {
    private final boolean isOffice;
    private final double night;
    private final double weekend;
    private final int begin;
    private final double[] mood = new double[DAYS * 24];

    Day(Random random) {
      isOffice = random.nextBoolean();
      night = random.nextInt(3) == 0 ? 0 : between(0.02, 0.3, random);
      weekend = between(0.1, 1, random);
      begin = random.nextInt(A_DAY);
      for (int i = 0; i < mood.length; i++) {
        mood[i] = Math.exp(0.25 * random.nextGaussian());
      }
    }

    double level(int minute) {
      int time = (minute + begin) % A_DAY;
      boolean isWeekend = (minute + begin) / A_DAY % 7 >= 5;
      double light =
          isOffice
              ? (time >= 8 * 60 && time < 18 * 60 ? 1 : 0)
              : (1 - Math.cos(2 * Math.PI * time / A_DAY)) / 2;
      double level = Math.max(night, light * (isWeekend ? weekend : 1));
      return level * mood[minute / 60];
    }
  }

  /** All times that requests of a minute come at, in seconds from its begin, in order. */
  double[] times(int minute, Random random) {
    return random.doubles(minutes[minute], 0, 60).sorted().toArray();
  }

  /** Log-uniform. */
  private static double between(double least, double most, Random random) {
    return least * Math.pow(most / least, random.nextDouble());
  }

  private static double exponential(Random random) {
    return -Math.log(1 - random.nextDouble());
  }

  private static int poisson(double mean, Random random) {
    if (mean > 50) {
      return (int) Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    double left = Math.exp(-mean);
    int count = -1;
    double product = 1;
    do {
      product *= random.nextDouble();
      count++;
    } while (product > left);
    return count;
  }
}
