package io.weir.internal.rules.anomalies;

import java.util.Random;

/**
 * Generates two weeks of one caller at one endpoint: the number of requests of each minute, and the
 * minutes of misuse.
 */
final class Trace {
  static final int A_DAY = 1_440;
  static final int DAYS = 14;

  /** The first minute that may be misused; before it, the baseline is learned. */
  private static final int LEARNED = 3 * A_DAY;

  /** The behaviour of a caller. */
  enum Kind {
    /** A constant rate. */
    STEADY(0),
    /** More by day than by night, and less on weekends; some have no requests at night. */
    DAILY(1),
    /** Bursts of a few minutes now and then. */
    BURSTY(2),
    /** A rate that doubles or halves within a week. */
    DRIFT(3),
    /** A constant rate, and 26 times as much during misuse. */
    SURGE(4),
    /** A stolen key, used in the rhythm of its owner: twice as many requests in all. */
    THIEF(5);

    /** Makes random numbers differ by kind. */
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

  /** Returns the requests of each minute. */
  int[] minutes() {
    return minutes;
  }

  /** Returns which minutes are misused. */
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

  /** Adds misuse about once a day, for 5 to 30 minutes; the thief never pauses. */
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

  /** Varies the rate by time of day and day of the week. */
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

  /** Returns the times of the requests of a minute, in seconds from its beginning, in order. */
  double[] times(int minute, Random random) {
    return random.doubles(minutes[minute], 0, 60).sorted().toArray();
  }

  /** Draws from a log-uniform distribution. */
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
